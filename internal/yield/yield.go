// Package yield lets a search be stopped where there is a single thread. Compiled to WebAssembly, Go runs one
// goroutine until it blocks, and handles no timer and no event of the browser before that. So searches call Now
// wherever they count nodes. On other systems it is an empty function, which costs nothing.
package yield
