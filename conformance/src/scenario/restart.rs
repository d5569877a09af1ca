//! Crashes: the consumer is killed without warning and started again.

use super::interpreter::{Halt, Play};
use super::judge::Finding;
use super::outgoing::Outgoing;
use super::step::Race;
use crate::fresh;
use crate::spawned::Spawned;
use std::time::Duration;

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

    /// A race with a crash in the middle. Afterwards all send once more: exactly the winners succeed, and whoever was told
    /// of a success before the crash is among them.
    pub(super) async fn crash_in(&mut self, race: &Race, outgoing: &[Outgoing]) -> Result<(), Halt> {
        let micros = u64::from_str_radix(&fresh::hex(4), 16).unwrap_or(0) % CRASH_WITHIN_MICROS;
        let spawned = self.spawned()?;
        let crash = async {
            tokio::time::sleep(Duration::from_micros(micros)).await;
            spawned.kill().await
        };
        let (before, killed) = futures_util::future::join(self.meet(outgoing), crash).await;
        killed.map_err(Halt::Mistake)?;
        self.spawned()?.revive().await.map_err(Halt::Mistake)?;
        let after = self.meet(outgoing).await;
        let winners: Vec<usize> = (0..after.len()).filter(|at| self.is_success(&after[*at])).collect();
        self.count_winners(race, &after, &winners)?;
        for (at, exchange) in before.iter().enumerate() {
            if self.is_success(exchange) && !winners.contains(&at) {
                let finding = Finding::Wrong {
                    permitted: "an acknowledged answer is the accepted one, also after a crash".to_owned(),
                    got: Some("another answer is accepted after the crash; before it".to_owned()),
                };
                self.note(&race.expectation, vec![finding], exchange, "the race's crash");
                return Err(Halt::Failed);
            }
        }
        Ok(())
    }
}
