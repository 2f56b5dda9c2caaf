// Goroutines on several threads that call C. Prints how often C's functions were called.
package main

// #include "area.h"
import "C"

import (
	"fmt"
	"sync"
)

func main() {
	var group sync.WaitGroup

	for worker := 0; worker < 4; worker++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for side := 0; side < 1000; side++ {
				C.area(C.int(side))
			}
		}()
	}
	group.Wait()
	fmt.Println("count area", C.area_calls())
	fmt.Println("count scale", C.scale_calls())
}
