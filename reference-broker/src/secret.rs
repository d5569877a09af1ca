//! What authorizes: the token, digests and nonces. None of them has a `Display`, each compares in constant time.

use arc_validator::event::Private;
use std::fmt;
use subtle::ConstantTimeEq;

macro_rules! secret {
    ($(#[$doc:meta])* $vis:vis $name:ident) => {
        $(#[$doc])*
        #[derive(Clone)]
        $vis struct $name(String);

        impl $name {
            /// Whether both are the same, in a time that does not tell where they differ.
            $vis fn matches(&self, other: &Self) -> bool {
                self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
            }
        }

        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.matches(other)
            }
        }

        impl Eq for $name {}

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "(withheld)"))
            }
        }
    };
}

secret! {
    /// The bearer token: whoever holds it may do everything that the broker does.
    pub Token
}

secret! {
    /// SHA-256 of what was displayed, 64 lower-case hexadecimal digits.
    pub(crate) Digest
}

secret! {
    /// The single-use value that shows that an answerer has received the question.
    pub(crate) Nonce
}

impl Token {
    /// A token as it stands after `Bearer ` in a request.
    pub fn new(token: String) -> Self {
        Self(token)
    }

    /// The token itself, for the one file that keeps it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

macro_rules! issued {
    ($name:ident) => {
        impl $name {
            /// The value itself, for the store and the reply that issues it.
            pub(crate) fn expose(&self) -> &str {
                &self.0
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl From<Private<'_>> for $name {
            fn from(text: Private<'_>) -> Self {
                Self(text.into_inner().into_owned())
            }
        }
    };
}

issued!(Digest);
issued!(Nonce);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_printed_and_only_equals_match() {
        let nonce = Nonce::from("kR3xP0qz7Nf4".to_owned());
        assert_eq!(format!("{nonce:?} {:?}", Token::new("t0p".into())), "Nonce(withheld) Token(withheld)");
        assert!(nonce.matches(&Nonce::from("kR3xP0qz7Nf4".to_owned())));
        for other in ["", "kR3xP0qz7Nf", "kR3xP0qz7Nf4 ", "kr3xp0qz7nf4"] {
            assert!(!nonce.matches(&Nonce::from(other.to_owned())), "{other}");
        }
    }
}
