//! Conforming variations: what the contract leaves free, decided otherwise. Every check stays green on each.

macro_rules! variations {
    ($($name:ident [$($should:literal)*] $does:literal;)+) => {
        /// One point that the contract leaves free, decided otherwise than the plain dummy does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Variation { $($name,)+ }

        impl Variation {
            /// Every variation.
            pub(crate) const ALL: &'static [Variation] = &[$(Variation::$name,)+];

            /// The variant's own name.
            pub(crate) fn name(self) -> &'static str {
                match self { $(Variation::$name => stringify!($name),)+ }
            }

            /// What the consumer does otherwise.
            pub(crate) fn does(self) -> &'static str {
                match self { $(Variation::$name => $does,)+ }
            }

            /// The recommendations (level SHOULD) that it does not follow; no claim depends on them.
            pub(crate) fn shoulds_not_followed(self) -> &'static [&'static str] {
                match self { $(Variation::$name => &[$($should),*],)+ }
            }
        }
    };
}

impl Variation {
    /// What its binding profile has to say about refusals: the outcome, and the status it has beside the usual one.
    pub(crate) fn profile(self) -> &'static [(&'static str, u16)] {
        match self {
            Variation::NotOpenIsGone => &[("rejected", 410)],
            Variation::InvalidIsUnprocessable => &[("rejected", 422)],
            _ => &[],
        }
    }

    /// Whether it keeps the statuses of the AgentNotify binding; where it does not, the core claim alone holds.
    pub(crate) fn keeps_binding(self) -> bool {
        self.profile().is_empty()
    }

    /// Whether the interactions routes are declared.
    pub(crate) fn declares_interactions(self) -> bool {
        self != Variation::InteractionsAbsent
    }
}

variations! {
    NonceNull [] "issues no nonce: the member is null";
    NonceAbsent [] "issues no nonce and has no member for it; its digest covers a random salt";
    NonceLong [] "issues nonces of 128 hexadecimal digits";
    DigestSalted [] "digests the question together with its id: the same question has another digest in each life";
    DigestOfQuestionOnly [] "digests what is asked, without priority and deadline";
    ErrorsPlainText [] "answers refusals in plain text";
    ErrorsProblemJson [] "answers refusals as application/problem+json";
    ErrorsEmpty [] "answers refusals without a body";
    MembersReversed [] "writes members in another order";
    MembersExtra [] "adds members of its own to every object";
    Pretty [] "indents its replies";
    NotOpenIsGone [] "answers 410 where a question is no longer open";
    InvalidIsUnprocessable [] "answers 422 to an invalid event";
    UpdateWithdraws [] "withdraws the open question on an update without response";
    UpdateKeepsOmitted [] "keeps title and priority where an update omits them";
    ReissuesAlways [] "issues a new digest-and-nonce pair on every created and updated event";
    PastDeadlineRefused [] "refuses a question whose deadline has passed";
    EndOfQuestionEnds [] "ends the condition when its question expires or is cancelled";
    DuplicatesLenient ["ENV-20"] "lets the last of two members with one name win";
    NullsLenient [] "takes null for an absent optional member";
    BlanksRefused [] "refuses texts of white space only";
    TimestampsNarrow [] "refuses lower-case t and z, leap seconds, -00:00 and more than nine fraction digits";
    WholeFloats [] "takes 1.0 where an integer is asked";
    KeyedReplaysForgotten ["LIF-11"] "treats the replay of an event with a key as another event";
    EventIdReuseReplays [] "answers another event under a known event_id with the first result";
    ReplayShowsFirst [] "answers a replay with the first reply, byte for byte";
    ReplayNeedsDigest [] "answers 409 to the accepted response_id with another digest or nonce";
    ReplayNeedsAnswer [] "answers 409 to the accepted response_id with another answer";
    OneWayAnswerRejected [] "answers 400 to an answer to a one-way condition";
    ResolveAnsweredMissing [] "answers 404 to the resolution of an answered condition";
    UnkeyedHidesKey [] "shows no key where the event had none";
    AnswersJudgedLate [] "looks for the condition before it judges the form of an answer";
    DefaultPriorityNormal ["HTP-10"] "gives every kind the priority normal";
    DeadlineWholeSecond [] "cuts the deadline to whole seconds";
    Slow [] "takes 30 to 80 ms for every reply";
    RateLimited [] "takes ten POST requests a second";
    Chunked [] "sends its replies chunked";
    ConnectionClosed [] "closes the connection after each reply";
    OversizeCloses [] "closes the connection on a body over 64 KiB";
    InteractionsAbsent [] "has no interactions routes";
    ListBare [] "lists interactions as a bare array";
    IdsReserved [] "gives ids with characters that have a meaning in URLs";
    IdsNumbers [] "gives ids that are numbers";
    WaitOversleepsOnce [] "sleeps over the end of its first wait by three seconds, as a busy machine does";
    WaitRangeRefused [] "answers 400 to a wait timeout out of range";
    CancelOverRefused [] "answers 400 to the cancellation of a question that is over";
    RouteBodiesStrict [] "refuses unknown members in bodies of the interactions routes";
    PublishesSome [] "has a relay: publish returns 1";
}
