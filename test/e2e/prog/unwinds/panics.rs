// Threads that panic on all paths: unwinding through frames with destructors, caught, caught by join, in a destructor's own scope, out of a
// library's iterator. Always prints the same.
use std::collections::HashMap;
use std::panic;
use std::sync::{mpsc, Arc, Mutex};
use std::thread;

struct Counts(Arc<Mutex<u64>>);
impl Drop for Counts {
    fn drop(&mut self) {
        *self.0.lock().unwrap_or_else(|e| e.into_inner()) += 1;
    }
}

#[inline(never)]
fn deep(n: u64, destroyed: &Arc<Mutex<u64>>) -> u64 {
    let _counts = Counts(destroyed.clone());
    if n == 0 {
        panic!("the bottom");
    }
    1 + deep(n - 1, destroyed)
}

#[inline(never)]
fn what_failed(result: thread::Result<u64>) -> String {
    match result {
        Ok(n) => format!("ok {n}"),
        Err(e) => match e.downcast_ref::<String>() {
            Some(s) => s.clone(),
            None => e.downcast_ref::<&str>().unwrap_or(&"something").to_string(),
        },
    }
}

fn main() {
    panic::set_hook(Box::new(|_| {}));
    let destroyed = Arc::new(Mutex::new(0));
    let mut seen: HashMap<String, u64> = HashMap::new();
    for round in 0..100u64 {
        let d = destroyed.clone();
        let text = format!("{round}");
        let tries: Vec<Box<dyn FnOnce() -> u64 + panic::UnwindSafe>> = vec![
            Box::new(move || deep(round % 30, &panic::AssertUnwindSafe(d))),
            Box::new(move || vec![1u64, 2, 3][round as usize % 5]),
            Box::new(move || text.parse::<u64>().map(|n| 100 / (n % 10)).unwrap()),
            Box::new(|| "no number".parse::<u64>().unwrap()),
            Box::new(move || (0..10).map(|i| if i == round % 12 { panic!("in an iterator") } else { i }).sum()),
            Box::new(|| None::<u64>.expect("nothing there")),
            Box::new(|| panic::resume_unwind(Box::new(7u8))),
        ];
        for t in tries {
            *seen.entry(what_failed(panic::catch_unwind(t))).or_insert(0) += 1;
        }
    }
    let (send, receive) = mpsc::channel();
    let threads: Vec<_> = (0..8u64)
        .map(|i| {
            let (send, d) = (send.clone(), destroyed.clone());
            thread::spawn(move || {
                for n in 0..200 {
                    send.send(n * i).unwrap();
                }
                if i % 2 == 1 {
                    return deep(20 + i, &d);
                }
                i
            })
        })
        .collect();
    drop(send);
    println!("sum {}", receive.iter().sum::<u64>());
    for t in threads {
        *seen.entry(what_failed(t.join())).or_insert(0) += 1;
    }
    let mut seen: Vec<_> = seen.into_iter().collect();
    seen.sort();
    for (what, count) in seen {
        println!("{count} {what}");
    }
    println!("destroyed {}", destroyed.lock().unwrap());
    std::process::exit(if thread::spawn(|| panic!("the last one")).join().is_err() { 6 } else { 0 });
}
