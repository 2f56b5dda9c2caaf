// Writes the profiles go-*.pprof of test/trace/good, one of each kind that Go's runtime has, to the current folder:
//
//	cp test/unit/reader/go_profiles.go /tmp && cd /tmp && go build -trimpath go_profiles.go && ./go_profiles
package main

import (
	"os"
	"runtime"
	"runtime/pprof"
	"sync"
	"time"
)

var kept [][]byte
var sum int

//go:noinline
func spin(count int) {
	for i := 0; i < count; i++ {
		sum += i*i ^ sum
	}
}

//go:noinline
func grow() {
	for i := 0; i < 200; i++ {
		kept = append(kept, make([]byte, 100000))
	}
}

//go:noinline
func fight(lock *sync.Mutex, all *sync.WaitGroup) {
	for i := 0; i < 100; i++ {
		lock.Lock()
		time.Sleep(100 * time.Microsecond)
		lock.Unlock()
	}
	all.Done()
}

func write(name string, how func(*os.File) error) {
	file, err := os.Create("go-" + name + ".pprof")
	if err == nil {
		err = how(file)
	}
	if err != nil {
		panic(err)
	}
}

func main() {
	var lock sync.Mutex
	var all sync.WaitGroup

	runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(1)
	write("cpu", func(file *os.File) error { return pprof.StartCPUProfile(file) })
	for i := 0; i < 60; i++ {
		spin(10000000)
	}
	grow()
	all.Add(3)
	for i := 0; i < 3; i++ {
		go fight(&lock, &all)
	}
	all.Wait()
	pprof.StopCPUProfile()
	for _, name := range []string{"heap", "allocs", "mutex", "block", "goroutine"} {
		write(name, func(file *os.File) error { return pprof.Lookup(name).WriteTo(file, 0) })
	}
}
