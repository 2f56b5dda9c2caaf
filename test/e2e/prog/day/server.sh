# A day's use of redis-server, with threads for its connections and a child that saves, in a folder that is empty. Always prints the same.
ln -s "$(command -v redis-check-rdb)" redis-server
for ((port = 20000 + $$ % 10000; port < 31000; port++)); do
	./redis-server --port $port --bind 127.0.0.1 --unixsocket "$PWD/socket" --io-threads 2 --save "" --dir "$PWD" \
		--logfile "$PWD/log" --enable-debug-command local &
	server=$!
	for ((i = 0; i < 3000; i++)); do
		[ ! -S socket ] && kill -0 $server 2> /dev/null || break
		sleep 0.02
	done
	[ ! -S socket ] || break
	wait $server
done
ask="redis-cli -p $port"
$ask ping
for client in 1 2; do
	redis-benchmark -p $port -n 300 -c 10 -r 500 -q -t set,get,incr,lpush,lpop,sadd,hset,zadd > "load$client" 2>&1 &
	loads[client]=$!
done
for client in 1 2; do
	wait "${loads[client]}"
	echo "load $client: $? $(tr '\r' '\n' < "load$client" | grep -c 'requests per second')"
done
$ask flushall
for i in {1..300}; do
	echo "set key:$i $((i * i))"
	echo "zadd ranks $((i * 7919 % 1009)) member:$i"
	echo "rpush list $i"
	echo "hset hash field:$i value:$i"
done | $ask > replies
sort -n replies | sha256sum
$ask zrange ranks 0 5 withscores
$ask eval 'local sum = 0; for i = 1, 300 do sum = sum + redis.call("get", "key:" .. i) end; return sum' 0
$ask sort list by 'nosort' get 'key:*' limit 0 5
$ask debug digest
$ask bgsave
while [ "$($ask info persistence | tr -d '\r' | sed -n 's/^rdb_bgsave_in_progress://p')" != 0 ]; do sleep 0.02; done
redis-check-rdb dump.rdb | sed -n 's/.*\(RDB looks OK\).*/\1/p'
$ask set key:1
$ask incr list
$ask debug reload
$ask debug digest
$ask shutdown nosave
wait $server
