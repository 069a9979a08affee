// Each of these runs as one step on the server. KEYS are the hash of the session, its entries, commands by place, places of
// commands by key, and the list of sessions; ARGV begins with the session and the channel of the notifications.

const common = `
local session, channel = ARGV[1], ARGV[2]
local hash, entries, commands, keys, list = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function text(number) return string.format('%.0f', number) end
local function get(...) return redis.call('HMGET', hash, ...) end
local function touch()
  local time = text(now())
  redis.call('HSET', hash, 'updatedAt', time)
  redis.call('ZADD', list, time, session)
  redis.call('PUBLISH', channel, session)
end
-- The process that is the server; empty if this user may not know.
local function server()
  local info = redis.pcall('INFO', 'server')
  return type(info) == 'string' and string.match(info, 'run_id:(%w+)') or ''
end
local function isHeld(keeper, epoch)
  local held = get('keeper', 'epoch')
  return held[1] == keeper and held[2] == epoch
end
`;

function script(body: string): string {
  return `${common}${body}`;
}

export const createScript: string = script(`
  if redis.call('EXISTS', hash) == 1 then return 0 end
  redis.call('HSET', hash, 'description', ARGV[3], 'createdAt', text(now()), 'epoch', 0, 'next', 1, 'lastCommand', 0,
    'server', server())
  touch()
  return 1
`);

export const claimScript: string = script(`
  if redis.call('EXISTS', hash) == 0 then return nil end
  local held = get('keeper', 'until', 'next', 'epoch', 'server')
  if held[1] and held[1] ~= ARGV[3] and tonumber(held[2]) > now() then return { held[1] } end
  local epoch, here = held[4] + 1, server()
  -- A server that has taken over may have forgotten epochs. No earlier one was as high as the time.
  if here == '' or here ~= held[5] then epoch = math.max(epoch, now()) end
  redis.call('HSET', hash, 'epoch', text(epoch), 'server', here, 'keeper', ARGV[3], 'until', text(now() + ARGV[4]))
  return { '', text(epoch), held[3] }
`);

export const renewScript: string = script(`
  if not isHeld(ARGV[3], ARGV[4]) then return 0 end
  redis.call('HSET', hash, 'until', text(now() + ARGV[5]))
  return 1
`);

export const releaseScript: string = script(`
  if isHeld(ARGV[3], ARGV[4]) then redis.call('HDEL', hash, 'keeper', 'until') end
`);

/** Behind the claim come the number of the first entry and the entries. */
export const appendScript: string = script(`
  local from, next = tonumber(ARGV[5]), tonumber(get('next')[1])
  if not isHeld(ARGV[3], ARGV[4]) or from > next then return 0 end
  local last = from + #ARGV - 6
  if last < next then return 1 end
  for n = next, last do redis.call('ZADD', entries, n, ARGV[6 + n - from]) end
  redis.call('HSET', hash, 'next', text(last + 1))
  touch()
  return 1
`);

/** The number and epoch of a place, or `start` as the epoch; and how many bytes to return. */
export const readScript: string = script(`
  if redis.call('EXISTS', hash) == 0 then return nil end
  local n, epoch, room = ARGV[3], ARGV[4], tonumber(ARGV[5])
  local compacted = get('compactedEpoch', 'compactedN')
  if epoch ~= 'start' and not (compacted[1] == epoch and compacted[2] == n) then
    local at = redis.call('ZRANGEBYSCORE', entries, n, n, 'LIMIT', 0, 1)[1]
    if not at or not string.find(at, '^{"n":' .. n .. ',"epoch":' .. epoch .. '[,}]') then return { 'gone' } end
  end
  local page = { compacted[1] or '', compacted[2] or '', 0 }
  local offset, step = 0, 64
  while true do
    local found = redis.call('ZRANGEBYSCORE', entries, '(' .. n, '+inf', 'LIMIT', offset, step)
    for _, entry in ipairs(found) do
      room = room - #entry
      if room < 0 and #page > 3 then
        page[3] = 1
        return page
      end
      page[#page + 1] = entry
    end
    if #found < step then return page end
    offset = offset + step
  end
`);

export const sendScript: string = script(`
  if redis.call('EXISTS', hash) == 0 then return nil end
  local known = redis.call('HGET', keys, ARGV[3])
  if known then return { known, 0 } end
  local at = text(redis.call('HINCRBY', hash, 'lastCommand', 1))
  redis.call('HSET', keys, ARGV[3], at)
  redis.call('HSET', commands, at, ARGV[4])
  touch()
  return { at, 1 }
`);

export const commandsScript: string = script(`
  if not isHeld(ARGV[3], ARGV[4]) then return {} end
  return redis.call('HGETALL', commands)
`);

/** Behind the claim come places. */
export const settleScript: string = script(`
  if not isHeld(ARGV[3], ARGV[4]) then return end
  for index = 5, #ARGV do
    local command = redis.call('HGET', commands, ARGV[index])
    if command then
      redis.call('HDEL', commands, ARGV[index])
      redis.call('HDEL', keys, cjson.decode(command)[1])
    end
  end
`);

/** Behind the claim come the number up to which entries are replaced, and numbers and texts of those that replace them. */
export const compactScript: string = script(`
  if not isHeld(ARGV[3], ARGV[4]) then return 'fenced' end
  local upTo = tonumber(ARGV[5])
  local known = get('next', 'compactedN')
  if upTo >= tonumber(known[1]) then return 'missing' end
  local last = redis.call('ZRANGEBYSCORE', entries, ARGV[5], ARGV[5], 'LIMIT', 0, 1)[1]
  if last and upTo > tonumber(known[2] or 0) then
    redis.call('HSET', hash, 'compactedN', ARGV[5], 'compactedEpoch', string.match(last, '^{"n":%d+,"epoch":(%d+)'))
  end
  redis.call('ZREMRANGEBYSCORE', entries, '-inf', ARGV[5])
  for index = 6, #ARGV, 2 do redis.call('ZADD', entries, ARGV[index], ARGV[index + 1]) end
  return 'done'
`);

/** Replaces a description, unless somebody else has done so: then it returns that one. */
export const changeScript: string = script(`
  local description = get('description')[1]
  if not description then return nil end
  if description ~= ARGV[3] then return description end
  redis.call('HSET', hash, 'description', ARGV[4])
  touch()
  return ARGV[4]
`);

export const removeScript: string = script(`
  if redis.call('DEL', hash, entries, commands, keys) == 0 then return end
  redis.call('ZREM', list, session)
  redis.call('PUBLISH', channel, session)
`);

export const changedScript: string = script(`
  return redis.call('ZRANGEBYSCORE', list, text(now() - ARGV[3]), '+inf')
`);
