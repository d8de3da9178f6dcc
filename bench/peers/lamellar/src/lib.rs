//! What the peers on Lamellar share: their options, processes on one node, the random numbers of bench/workload.hpp, and
//! the line that they print.

use std::env;
use std::process::{exit, Command};

/// `--name=N` or `--name N`; else `otherwise`.
pub fn option(name: &str, otherwise: usize) -> usize {
    let words: Vec<String> = env::args().collect();
    for (i, word) in words.iter().enumerate() {
        let value = match word.strip_prefix(name) {
            Some("") => words.get(i + 1).cloned(),
            Some(rest) => rest.strip_prefix('=').map(str::to_string),
            None => None,
        };
        if let Some(text) = value {
            return text.parse().unwrap_or_else(|_| {
                eprintln!("{name} wants a number, and got {text}");
                exit(2)
            });
        }
    }
    otherwise
}

/// Starts this program again as each of `pes` processes, with a core and a worker thread of its own, and waits for them;
/// returns in these. Lamellar's shared memory wants to be told who is who by its environment.
pub fn on_processes(pes: usize) {
    if env::var("LAMELLAR_PE_ID").is_ok() {
        return;
    }
    let job = std::process::id().to_string();
    let start = |pe: usize| {
        Command::new("taskset")
            .args(["-c", &pe.to_string()])
            .arg(env::current_exe().expect("this program has a path"))
            .args(env::args().skip(1))
            .env("LAMELLAR_BACKEND", "shmem")
            .env("LAMELLAR_THREADS", "1")
            .env("LAMELLAR_NUM_PES", pes.to_string())
            .env("LAMELLAR_PE_ID", pe.to_string())
            .env("LAMELLAR_JOB_ID", &job)
            .spawn()
            .expect("taskset starts a process")
    };
    let started: Vec<_> = (0..pes).map(start).collect();
    let bad = started.into_iter().filter_map(|mut p| p.wait().ok()).filter(|status| !status.success()).count();
    exit(if bad == 0 { 0 } else { 1 });
}

/// splitmix64, as `bench::random_source`.
pub struct RandomSource(u64);

impl RandomSource {
    pub fn new(seed: u64) -> Self {
        RandomSource(seed)
    }
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        z ^ (z >> 31)
    }
}

/// The elements that a PE of the histogram, or of index-gather, asks for, as `bench::update_source` makes them: of an
/// array with `each` elements a PE, in blocks.
pub fn targets(count: usize, pe: usize, pes: usize, each: usize) -> Vec<usize> {
    let mut random = RandomSource::new(RandomSource::new(pe as u64 + 1).next());
    let of = |r: u64, n: usize| (((r & 0xffff_ffff) * n as u64) >> 32) as usize;
    (0..count)
        .map(|_| {
            let r = random.next();
            of(r >> 32, pes) * each + of(r, each)
        })
        .collect()
}

/// One line of JSON: the rate by the median of the runs.
pub fn tell(name: &str, figure: &str, pes: usize, count: usize, mut seconds: Vec<f64>, verified: bool) {
    seconds.sort_by(f64::total_cmp);
    let (least, most, median) = (seconds[0], seconds[seconds.len() - 1], seconds[seconds.len() / 2]);
    let head = format!("{{\"name\":\"{name}\",\"peer\":\"lamellar\",\"pes\":{pes},\"verified\":{verified}");
    if !verified {
        println!("{head}}}");
        exit(1);
    }
    println!(
        "{head},\"seconds\":{median},\"{figure}\":{},\"min\":{least},\"max\":{most},\"spread\":{},\"repetitions\":{}}}",
        count as f64 / median,
        (most - least) / median,
        seconds.len()
    );
}
