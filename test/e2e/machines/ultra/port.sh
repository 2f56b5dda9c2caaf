# Sourced by whoever listens on this machine.

# A port that nobody has; with ours and those of others running at a time. Below those that the system gives to whoever connects.
free_port()
{
	local port
	for ((port = 12000 + RANDOM % 20000; ; port++)); do
		(exec 3<> /dev/tcp/127.0.0.1/$port) 2> /dev/null || break
	done
	echo $port
}
