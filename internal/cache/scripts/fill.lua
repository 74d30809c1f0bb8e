-- Writes an entry and its notes if every token is still as expected. The entry
-- that it replaces stays under a key named after its fetch id, lifetime kept.
-- KEYS: entry, the tokens, the notes.
-- ARGV: number of tokens, token lifetime in ms, prefix of replaced entries,
--       entry, its lifetime in ms, the tokens expected, then each note and its
--       lifetime in ms.
-- Returns {1 or 0, the first bytes of the replaced entry or ''}.
local count = tonumber(ARGV[1])
for i = 1, count do
  if redis.pcall('GET', KEYS[1 + i]) ~= ARGV[5 + i] then
    return {0, ''}
  end
end

local old = redis.pcall('GETRANGE', KEYS[1], 0, 4095)
if type(old) ~= 'string' then
  old = '' -- Of another type: SET takes its place.
else
  -- The fetch id stands at bytes 16 to 47 of an entry. The key made of it is
  -- not declared, because it is known only here; it is in the same slot. COPY
  -- and not RENAME, which a full Redis would allow, and then whatever follows.
  local id = string.match(string.sub(old, 17, 48), '^%x+$')
  if id and #id == 32 then
    redis.pcall('COPY', KEYS[1], ARGV[3] .. id)
  end
end

local written = redis.pcall('SET', KEYS[1], ARGV[4], 'PX', ARGV[5])
if written.err then -- A full Redis: the old entry stays what it was.
  return written
end
for i = 1, count do
  redis.call('PEXPIRE', KEYS[1 + i], ARGV[2])
end
for i = 2 + count, #KEYS do
  local at = 5 + count + 2 * (i - 1 - count) - 1
  redis.pcall('SET', KEYS[i], ARGV[at], 'PX', ARGV[at + 1])
end
return {1, old}
