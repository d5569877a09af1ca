//! Who waits for which question.
//!
//! A waiter registers first and reads the question's state afterwards: whatever ends the question between the two
//! finds it registered.

use crate::engine::Question;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

type Ending = Option<Arc<Question>>;

/// The waiters of all questions.
#[derive(Debug, Default)]
pub(crate) struct Waiters(Mutex<HashMap<String, watch::Sender<Ending>>>);

/// A place among the waiters of one question, given up when dropped.
#[derive(Debug)]
pub(crate) struct Place {
    waiters: Arc<Waiters>,
    question: String,
    ending: watch::Receiver<Ending>,
}

impl Waiters {
    /// Registers for the end of a question; no matter whether it exists.
    pub(crate) fn register(self: &Arc<Self>, question: &str) -> Place {
        let mut waiting = self.lock();
        let sender = waiting.entry(question.to_owned()).or_insert_with(|| watch::Sender::new(None));
        Place { waiters: Arc::clone(self), question: question.to_owned(), ending: sender.subscribe() }
    }

    /// How many wait.
    pub(crate) fn count(&self) -> usize {
        self.lock().values().map(watch::Sender::receiver_count).sum()
    }

    /// Releases everyone who waits for this question, which has ended.
    pub(crate) fn release(&self, question: Question) {
        if let Some(sender) = self.lock().remove(&question.id) {
            sender.send_replace(Some(Arc::new(question)));
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, watch::Sender<Ending>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// Returns the question when it has ended.
    pub(crate) async fn ended(&mut self) -> Arc<Question> {
        loop {
            if let Some(question) = self.ending.borrow_and_update().clone() {
                return question;
            }
            if self.ending.changed().await.is_err() {
                // The sender goes only after it has sent.
                std::future::pending::<()>().await;
            }
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut waiting = self.waiters.lock();
        if let Entry::Occupied(entry) = waiting.entry(std::mem::take(&mut self.question)) {
            // This receiver is still counted.
            if entry.get().receiver_count() <= 1 && self.ending.same_channel(&entry.get().subscribe()) {
                entry.remove();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Asker, Status};
    use crate::secret::{Digest, Nonce};
    use arc_validator::event::{AnswerShape, Private};
    use std::sync::atomic::{AtomicBool, Ordering};

    fn ended(id: &str) -> Question {
        Question {
            id: id.to_owned(),
            key: "k".to_owned(),
            asker: Asker {
                agent: "a".to_owned(),
                agent_instance: None,
                project: None,
                session_id: None,
                turn_id: None,
                native_request_id: None,
            },
            prompt: Private::from("p"),
            shape: AnswerShape::Text { max_length: 1 },
            expires_at: 0,
            digest: Digest::from(String::new()),
            nonce: Nonce::from(String::new()),
            status: Status::Cancelled,
            created_at: 0,
            updated_at: 0,
        }
    }

    /// A question ends on another thread while a waiter registers, looks, and waits: whichever comes first, it returns.
    #[test]
    fn no_wake_up_is_lost() {
        let waiters = Arc::new(Waiters::default());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (to_ender, rounds) = std::sync::mpsc::channel::<(String, Arc<AtomicBool>)>();
        let ender = {
            let waiters = Arc::clone(&waiters);
            std::thread::spawn(move || {
                for (id, is_over) in rounds {
                    // First the state, then the waiters, as the store's writer does.
                    is_over.store(true, Ordering::SeqCst);
                    waiters.release(ended(&id));
                }
            })
        };
        for round in 0..100_000 {
            let (id, is_over) = (format!("q{round}"), Arc::new(AtomicBool::new(false)));
            to_ender.send((id.clone(), Arc::clone(&is_over))).unwrap();
            if round % 3 == 0 {
                std::thread::yield_now();
            }
            let mut place = waiters.register(&id);
            if round % 7 == 0 {
                std::thread::yield_now();
            }
            if !is_over.load(Ordering::SeqCst) {
                assert_eq!(runtime.block_on(place.ended()).id, id);
            }
        }
        drop(to_ender);
        ender.join().unwrap();
        assert_eq!(waiters.count(), 0);
    }
}
