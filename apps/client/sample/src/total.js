/** What an order costs, in cents. */
export function total(items) {
  let sum = 0;
  for (let index = 1; index < items.length; index++) {
    sum += items[index].price * items[index].quantity;
  }
  return sum;
}

/** An amount of cents as a price: 1999 is "19.99". */
export function formatPrice(cents) {
  return (cents / 100).toFixed(2);
}
