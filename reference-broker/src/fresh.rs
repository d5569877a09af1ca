//! The only module that asks for chance: nonces, ids and a first token.

use crate::engine::Fresh;
use crate::secret::Token;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// Random bits asked for at a time: asking costs more than taking.
const STOCK: usize = 4_000;

/// What commands use up: numbers for new records, counted on, and random bits.
pub(crate) struct Source {
    condition: i64,
    question: i64,
    stock: Vec<u8>,
}

impl Source {
    /// Counts on from the numbers of the last condition and the last question.
    pub(crate) fn after(condition: i64, question: i64) -> Self {
        Self { condition, question, stock: Vec::new() }
    }

    /// What one command may use up. No bit is given out twice.
    pub(crate) fn draw(&mut self) -> Result<Fresh, getrandom::Error> {
        if self.stock.is_empty() {
            self.stock = random(STOCK)?;
        }
        let bits = self.stock.split_off(self.stock.len() - Fresh::BITS);
        (self.condition, self.question) = (self.condition + 1, self.question + 1);
        Ok(Fresh::new(self.condition, self.question, bits.try_into().expect("so many were split off")))
    }
}

/// A token of 256 random bits, base64url.
pub fn token() -> Result<Token, getrandom::Error> {
    Ok(Token::new(URL_SAFE_NO_PAD.encode(random(32)?)))
}

#[expect(clippy::disallowed_methods, reason = "this is where random bits come from")]
fn random(bytes: usize) -> Result<Vec<u8>, getrandom::Error> {
    let mut random = vec![0; bytes];
    getrandom::fill(&mut random)?;
    Ok(random)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn nothing_is_given_out_twice() {
        let mut source = Source::after(7, 9);
        let drawn: Vec<_> = (0..1_000).map(|_| source.draw().unwrap()).collect();
        let all: HashSet<_> = drawn
            .iter()
            .flat_map(|fresh| [fresh.condition_id(), fresh.question_id(), fresh.nonce().expose().to_owned()])
            .collect();
        assert_eq!(all.len(), 3_000);
        assert_eq!(crate::id::number(&drawn[0].condition_id()), Some(8));
        assert_eq!(crate::id::number(&drawn[0].question_id()), Some(10));
    }
}
