//! Bale's histogram by Lamellar's AtomicArray: all updates of a PE in one batched operation, which Lamellar cuts.

use lamellar::array::prelude::*;
use peer_lamellar::{on_processes, option, targets, tell};
use std::time::Instant;

fn main() {
    let (updates, each, runs) =
        (option("--updates", 10_000_000), option("--counters", 1000), option("--repetitions", 7));
    on_processes(option("--pes", 2));
    let world = lamellar::LamellarWorldBuilder::new().build();
    let (pe, pes) = (world.my_pe(), world.num_pes());
    let counters = AtomicArray::<usize>::new(&world, each * pes, lamellar::Distribution::Block).block();
    let all = targets(updates, pe, pes, each);
    let mut seconds = Vec::new();
    for run in 0..=runs {
        world.barrier();
        let start = Instant::now();
        counters.batch_add(&all[..], 1).block();
        world.wait_all();
        world.barrier();
        if run > 0 {
            seconds.push(start.elapsed().as_secs_f64());
        }
    }
    let sum = counters.sum().block();
    if pe == 0 {
        tell("histogram", "updates_per_second_and_pe", pes, updates, seconds, sum == Some(updates * pes * (runs + 1)));
    }
}
