-- Returns the token at each key, after putting a fresh one wherever there is
-- none, or something else than a token.
-- KEYS: tokens. ARGV: lifetime in ms, then a fresh token for each key.
local tokens = {}
for i, key in ipairs(KEYS) do
  local token
  if redis.call('TYPE', key).ok == 'string' then
    token = redis.call('GET', key)
  end
  if not token or #token ~= 16 then
    token = ARGV[1 + i]
    redis.call('SET', key, token, 'PX', ARGV[1])
  end
  tokens[i] = token
end
return tokens
