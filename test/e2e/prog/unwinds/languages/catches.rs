// Half of the calls of inner panic, which catcher catches.
use std::panic;
use std::sync::atomic::{AtomicI64, Ordering};

static SUM: AtomicI64 = AtomicI64::new(0);

#[inline(never)]
fn after() {
    SUM.fetch_add(1, Ordering::Relaxed);
}

#[inline(never)]
fn inner(turn: i64) {
    if turn % 2 == 0 {
        panic::resume_unwind(Box::new(turn));
    }
    SUM.fetch_add(turn, Ordering::Relaxed);
}

#[inline(never)]
fn middle(turn: i64) {
    inner(turn);
    SUM.fetch_add(1, Ordering::Relaxed);
}

#[inline(never)]
fn catcher() {
    for turn in 1..=1000 {
        if panic::catch_unwind(|| middle(turn)).is_err() {
            after();
        }
    }
}

fn main() {
    catcher();
    println!("sum {}", SUM.load(Ordering::Relaxed));
}
