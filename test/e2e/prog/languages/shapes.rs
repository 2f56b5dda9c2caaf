// Methods of a trait, generic functions, recursion, threads, and panics that are caught. Prints how often it called each.
use std::hint::black_box;
use std::panic;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;

static AREAS: AtomicU64 = AtomicU64::new(0);
static LARGERS: AtomicU64 = AtomicU64::new(0);
static FIBONACCIS: AtomicU64 = AtomicU64::new(0);
static FAILS: AtomicU64 = AtomicU64::new(0);

trait Shape {
    fn area(&self) -> u64;
}
struct Square(u64);
impl Shape for Square {
    #[inline(never)]
    fn area(&self) -> u64 {
        AREAS.fetch_add(1, Relaxed);
        black_box(self.0 * self.0)
    }
}

#[inline(never)]
fn larger<T: PartialOrd>(a: T, b: T) -> T {
    LARGERS.fetch_add(1, Relaxed);
    if black_box(a > b) { a } else { b }
}

// What is behind the calls keeps the compiler from making loops of them.
#[inline(never)]
fn fibonacci(n: u64) -> u64 {
    FIBONACCIS.fetch_add(1, Relaxed);
    if n < 2 { n } else { black_box(fibonacci(n - 1)) + black_box(fibonacci(n - 2)) }
}

#[inline(never)]
fn fail(depth: u64) -> u64 {
    FAILS.fetch_add(1, Relaxed);
    if depth == 0 {
        panic!("the bottom");
    }
    black_box(fail(depth - 1)) + 1
}

fn main() {
    panic::set_hook(Box::new(|_| {}));
    let mut largest = 0;
    for i in 0..1000 {
        largest = larger(largest, Square(i).area());
    }
    for depth in 0..50 {
        assert!(panic::catch_unwind(|| fail(depth % 5)).is_err());
    }
    let threads: Vec<_> = (0..3).map(|_| thread::spawn(|| fibonacci(12))).collect();
    let sum: u64 = threads.into_iter().map(|one| one.join().unwrap()).sum();
    println!("total {}", largest + sum);
    println!("count <shapes::Square as shapes::Shape>::area {}", AREAS.load(Relaxed));
    println!("count shapes::larger::<u64> {}", LARGERS.load(Relaxed));
    println!("count shapes::fibonacci {}", FIBONACCIS.load(Relaxed));
    println!("count shapes::fail {}", FAILS.load(Relaxed));
    println!("count shapes::main 1");
}
