//! A map that remembers at least the last entries, and never more than twice as many.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};

/// Keys are fingerprints already.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Fingerprint(u64);

impl Hasher for Fingerprint {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only fingerprints are hashed");
    }

    fn write_u64(&mut self, fingerprint: u64) {
        self.0 = fingerprint;
    }
}

pub(super) type Hashed = BuildHasherDefault<Fingerprint>;

/// Two generations: when the newer one is full, the older one is forgotten.
#[derive(Debug)]
pub(super) struct Window<V> {
    newer: HashMap<u64, V, Hashed>,
    older: HashMap<u64, V, Hashed>,
}

impl<V> Default for Window<V> {
    fn default() -> Self {
        Self { newer: HashMap::default(), older: HashMap::default() }
    }
}

impl<V> Window<V> {
    pub(super) fn get(&self, key: u64) -> Option<&V> {
        self.newer.get(&key).or_else(|| self.older.get(&key))
    }

    pub(super) fn remove(&mut self, key: u64) -> Option<V> {
        let older = self.older.remove(&key);
        self.newer.remove(&key).or(older)
    }

    /// Remembers an entry; at least `most` later ones are remembered with it.
    pub(super) fn insert(&mut self, key: u64, value: V, most: usize) {
        self.make_room(most);
        self.newer.insert(key, value);
    }

    /// Remembers an entry, unless there is one: that one is returned.
    pub(super) fn remember(&mut self, key: u64, value: V, most: usize) -> Option<V>
    where
        V: Copy,
    {
        self.make_room(most);
        match self.newer.entry(key) {
            Entry::Occupied(known) => Some(*known.get()),
            Entry::Vacant(vacant) => {
                let known = self.older.get(&key).copied();
                if known.is_none() {
                    vacant.insert(value);
                }
                known
            }
        }
    }

    fn make_room(&mut self, most: usize) {
        if self.newer.len() >= most {
            std::mem::swap(&mut self.newer, &mut self.older);
            self.newer.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_entries_are_remembered_and_no_more_than_twice_as_many() {
        let mut window = Window::default();
        for n in 0..1000_u64 {
            window.insert(n, n, 10);
            assert!((n.saturating_sub(9)..=n).all(|key| window.get(key) == Some(&key)), "{n}");
            assert!(window.newer.len() + window.older.len() <= 20);
        }
        assert_eq!(window.remove(999), Some(999));
        assert_eq!(window.get(999), None);
    }
}
