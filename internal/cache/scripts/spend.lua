-- Takes an amount from every limit of a budget, or from none. What was spent
-- is counted in sub-windows, ten to a period; the current one and the ten
-- before it are summed, so that no period whatever sees more than its limit.
-- Time is this server's, hence one for all instances.
-- KEYS: budget, a hash of "<sub-window ms>:<index>" = amount.
-- ARGV: amount, then for each limit its sub-window in ms and its maximum.
-- Returns {1 or 0, ms until it may succeed}.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local amount = tonumber(ARGV[1])
local held = redis.call('HGETALL', KEYS[1])

local spent = {}
for i = 1, #held, 2 do
  local width, index = string.match(held[i], '^(%d+):(%d+)$')
  if not width or (tonumber(index) + 11) * tonumber(width) <= now then
    redis.call('HDEL', KEYS[1], held[i])
  else
    spent[held[i]] = tonumber(held[i + 1])
  end
end

local function field(width, index)
  return string.format('%d:%d', width, index)
end

local wait = 0
for i = 2, #ARGV, 2 do
  local width, maximum = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
  local current = math.floor(now / width)
  local over = amount - maximum
  for index = current - 10, current do
    over = over + (spent[field(width, index)] or 0)
  end
  for index = current - 10, current do
    if over <= 0 then
      break
    end
    over = over - (spent[field(width, index)] or 0)
    wait = math.max(wait, (index + 11) * width - now)
  end
  if over > 0 then -- More than the limit leaves to this spender, at any time.
    wait = math.max(wait, 11 * width)
  end
end
if wait > 0 then
  return {0, wait}
end

local longest = 0
for i = 2, #ARGV, 2 do
  local width = tonumber(ARGV[i])
  redis.call('HINCRBY', KEYS[1], field(width, math.floor(now / width)), amount)
  longest = math.max(longest, width)
end
redis.call('PEXPIRE', KEYS[1], longest * 11)
return {1, 0}
