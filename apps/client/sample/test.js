import assert from "node:assert/strict";
import { formatPrice, total } from "./src/total.js";

const tea = { name: "Tea", price: 450, quantity: 2 };
const cup = { name: "Cup", price: 1299, quantity: 1 };

const tests = {
  "an empty order costs nothing": () => assert.equal(total([]), 0),
  "an order costs the sum of its items": () => assert.equal(total([tea, cup]), 2199),
  "a price has two decimals": () => assert.equal(formatPrice(1950), "19.50"),
};

Error.stackTraceLimit = 1;
for (const [name, test] of Object.entries(tests)) {
  try {
    test();
    console.log(`ok    ${name}`);
  } catch (error) {
    console.log(`FAIL  ${name}\n${error.stack}`);
    process.exitCode = 1;
  }
}
