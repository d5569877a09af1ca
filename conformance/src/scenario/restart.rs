//! Crashes: the consumer is killed without warning and started again.

use super::interpreter::{Halt, Play};
use super::judge::Finding;
use super::outgoing::Outgoing;
use super::step::{Crash, Race};
use crate::exchange::Exchange;
use crate::fresh;
use crate::spawned::Spawned;
use futures_util::future::join;
use std::time::Duration;
use tokio::sync::Notify;

/// The longest time between the start of a race and the crash: an answer takes about as long.
const CRASH_WITHIN_MICROS: u64 = 8_000;

impl Play<'_> {
    pub(super) async fn restart(&mut self) -> Result<(), Halt> {
        let spawned = self.spawned()?;
        spawned.kill().await.map_err(Halt::Mistake)?;
        spawned.revive().await.map_err(Halt::Mistake)
    }

    fn spawned(&self) -> Result<&Spawned, Halt> {
        let spawned = self.stage.spawned.as_ref();
        spawned.ok_or_else(|| Halt::Mistake("a restart without --spawn".to_owned()))
    }

    /// A race with a crash in it. Afterwards all send once more, those last that were told of a success: exactly the winners
    /// succeed, and whoever was told is among them.
    pub(super) async fn crash_in(&mut self, race: &Race, moment: Crash, outgoing: &[Outgoing]) -> Result<(), Halt> {
        let before = self.meet_and_crash(moment, outgoing).await?;
        let told = |at: &usize| self.is_success(&before[*at]);
        let (told, others): (Vec<usize>, Vec<usize>) = (0..outgoing.len()).partition(told);
        let chosen = |these: &[usize]| these.iter().map(|at| outgoing[*at].clone()).collect::<Vec<_>>();
        let mut after = self.meet(&chosen(&others)).await;
        after.extend(self.meet(&chosen(&told)).await);
        let winners: Vec<usize> = (0..after.len()).filter(|at| self.is_success(&after[*at])).collect();
        self.count_winners(race, &after, &winners)?;
        let lost = told.iter().zip(others.len()..).find(|(_, now)| !winners.contains(now));
        if let Some((at, _)) = lost {
            let finding = Finding::Wrong {
                permitted: "an acknowledged answer is the accepted one, also after a crash".to_owned(),
                got: Some("another answer is accepted after the crash; before it".to_owned()),
            };
            self.note(&race.expectation, vec![finding], &before[*at], "the race's crash");
            return Err(Halt::Failed);
        }
        Ok(())
    }

    async fn meet_and_crash(&self, moment: Crash, outgoing: &[Outgoing]) -> Result<Vec<Exchange>, Halt> {
        let spawned = self.spawned()?;
        let told = Notify::new();
        let crash = async {
            match moment {
                Crash::Midway => tokio::time::sleep(midway()).await,
                Crash::Acknowledged => told.notified().await,
            }
            spawned.kill().await
        };
        let (exchanges, killed) = join(self.meet_telling(outgoing, &told), crash).await;
        killed.map_err(Halt::Mistake)?;
        spawned.revive().await.map_err(Halt::Mistake)?;
        Ok(exchanges)
    }
}

fn midway() -> Duration {
    Duration::from_micros(u64::from_str_radix(&fresh::hex(4), 16).unwrap_or(0) % CRASH_WITHIN_MICROS)
}
