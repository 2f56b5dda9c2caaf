-- Half of the calls of inner raise an error, which pcall catches.
local sum = 0
local function inner(turn)
	if turn % 2 == 0 then
		error({ turn })
	end
	sum = sum + turn
end
for turn = 1, 20000 do
	if not pcall(inner, turn) then
		sum = sum + 1
	end
end
print("sum", sum)
