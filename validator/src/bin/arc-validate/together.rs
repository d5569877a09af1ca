//! Lines judged by several threads and settled in their order.

use crate::judge::{Judged, judge, judge_all};
use arc_validator::input::Lines;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// About how many bytes one thread judges at a time: few enough to stay in its cache, and for nobody to wait long for the
/// last of them.
const PART: usize = 128 << 10;

/// Hands every judged line to `settle`, in order, on this thread. Each thread takes the next part when it is done with its
/// last one, so that the work of settling is made up for.
pub(crate) fn judge_together<'a>(
    lines: Lines<'a>,
    lifecycle: bool,
    threads: usize,
    mut settle: impl FnMut(Judged<'a>) -> io::Result<()>,
) -> io::Result<()> {
    let parts = lines.split(lines.len().div_ceil(PART));
    let (next, others) = (AtomicUsize::new(0), threads.min(parts.len()).saturating_sub(1));
    let take = || {
        let index = next.fetch_add(1, Ordering::Relaxed);
        parts.get(index).map(|part| (index, *part))
    };
    std::thread::scope(|scope| {
        let (send, receive) = mpsc::channel();
        for _ in 0..others {
            let send = send.clone();
            scope.spawn(move || {
                // Nobody listens any more once settling has failed.
                while let Some((index, part)) = take() {
                    if send.send((index, judge_all(part, lifecycle))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let (mut settled, mut waiting) = (0, BTreeMap::new());
        while let Some((index, part)) = take() {
            if index == settled {
                part.each(|unit| settle(judge(unit, lifecycle)))?;
                settled += 1;
            } else {
                waiting.insert(index, judge_all(part, lifecycle));
            }
            waiting.extend(receive.try_iter());
            settle_ready(&mut waiting, &mut settled, &mut settle)?;
        }
        for (index, judged) in receive {
            waiting.insert(index, judged);
            settle_ready(&mut waiting, &mut settled, &mut settle)?;
        }
        Ok(())
    })
}

/// Settles the parts whose turn it is.
fn settle_ready<'a>(
    waiting: &mut BTreeMap<usize, io::Result<Vec<Judged<'a>>>>,
    settled: &mut usize,
    settle: &mut impl FnMut(Judged<'a>) -> io::Result<()>,
) -> io::Result<()> {
    while let Some(judged) = waiting.remove(settled) {
        judged?.into_iter().try_for_each(&mut *settle)?;
        *settled += 1;
    }
    Ok(())
}
