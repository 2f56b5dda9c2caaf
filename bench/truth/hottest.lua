-- Calls, a sort with and without a comparison of the program's own, strings and a table of strings: hottest.lua ROUNDS
local function fib(n)
	if n < 2 then return n end
	return fib(n - 1) + fib(n - 2)
end

for round = 1, tonumber(arg[1]) do
	local numbers, seed, parts, words, length, counts = {}, round, {}, 0, 0, {}
	fib(24)
	for i = 1, 6000 do
		seed = (seed * 1103515245 + 12345) % 2147483648
		numbers[i] = seed
	end
	table.sort(numbers)
	table.sort(numbers, function(a, b) return a > b end)
	for i = 1, 6000 do parts[#parts + 1] = "key" .. i .. ":" .. numbers[i] end
	local text = table.concat(parts, ",")
	for key, value in string.gmatch(text, "(%w+):(%w+)") do
		words, length = words + 1, length + #key + #value
	end
	text = string.gsub(text, "key", "k")
	for i = 1, 3000 do counts["x" .. i % 500] = (counts["x" .. i % 500] or 0) + i end
end
