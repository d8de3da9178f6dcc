//! Bale's index-gather by Lamellar's ReadOnlyArray: all reads of a PE in one batched operation, which Lamellar cuts.

use lamellar::array::prelude::*;
use peer_lamellar::{on_processes, option, targets, tell};
use std::time::Instant;

fn main() {
    let (reads, each, runs) = (option("--reads", 10_000_000), option("--entries", 100_000), option("--repetitions", 7));
    on_processes(option("--pes", 2));
    let world = lamellar::LamellarWorldBuilder::new().build();
    let (pe, pes) = (world.my_pe(), world.num_pes());
    let written = AtomicArray::<usize>::new(&world, each * pes, lamellar::Distribution::Block).block();
    // An element has its own index, times three.
    let own: Vec<usize> = (pe * each..(pe + 1) * each).collect();
    let values: Vec<usize> = own.iter().map(|i| 3 * i).collect();
    written.batch_store(&own[..], &values[..]).block();
    world.wait_all();
    world.barrier();
    let table = written.into_read_only().block();
    let all = targets(reads, pe, pes, each);
    let mut seconds = Vec::new();
    let mut verified = true;
    for run in 0..=runs {
        world.barrier();
        let start = Instant::now();
        let got = table.batch_load(&all[..]).block();
        world.wait_all();
        world.barrier();
        if run > 0 {
            seconds.push(start.elapsed().as_secs_f64());
        }
        verified &= got.len() == all.len() && got.iter().zip(&all).all(|(value, index)| *value == 3 * index);
    }
    if pe == 0 {
        tell("index_gather", "reads_per_second_and_pe", pes, reads, seconds, verified);
    }
}
