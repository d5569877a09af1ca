//! What happens without anybody's asking: expiry at the deadline, and forgetting.

use crate::app::App;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

/// After a write that failed, the timer tries again so soon.
const RETRY: Duration = Duration::from_millis(100);
/// So often what is finished long enough is forgotten.
const PRUNING: Duration = Duration::from_secs(3_600);
/// Between two rounds of forgetting, so that whoever writes meanwhile is served.
const BREATH: Duration = Duration::from_millis(20);

/// Ends each question at the millisecond of its deadline, so that its waiters are released.
pub(crate) async fn expire_on_time(app: Arc<App>) {
    let mut deadline = app.writer.deadline();
    loop {
        let next = *deadline.borrow_and_update();
        let due = async {
            match next {
                Some(instant) => app.clock.until(instant).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            changed = deadline.changed() => if changed.is_err() { return },
            () = due => if app.writer.sweep(app.clock.now()).await.is_err() { sleep(RETRY).await },
        }
    }
}

/// Forgets conditions that ended longer ago than `retain`: at once, and then every hour.
pub(crate) async fn forget(app: Arc<App>, retain: Duration) {
    let retain = i64::try_from(retain.as_millis()).unwrap_or(i64::MAX);
    loop {
        while matches!(app.writer.prune(app.clock.now().saturating_sub(retain)).await, Ok(true)) {
            sleep(BREATH).await;
        }
        sleep(PRUNING).await;
    }
}
