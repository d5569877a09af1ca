//! Every deliberate fault: one entry here, one switch point at the place of the rule.
//!
//! An entry reads: name, the requirements that must go red, those that may go red with them (an id, or the beginning
//! of one: `ANS` stands for the family), and what the consumer does wrong. The contract's sentence comes from the first
//! requirement (`contract.rs`).

use super::contract;

macro_rules! faults {
    ($($name:ident [$($must:literal)+] [$($may:literal)*] $does:literal;)+) => {
        /// One deliberate fault.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Fault { $($name,)+ }

        impl Fault {
            /// Every fault, in the order of the requirements.
            pub(crate) const ALL: &'static [Fault] = &[$(Fault::$name,)+];

            fn entry(self) -> Entry {
                match self {
                    $(Fault::$name => Entry { name: stringify!($name), must: &[$($must),+], may: &[$($may),*], does: $does },)+
                }
            }
        }
    };
}

struct Entry {
    name: &'static str,
    must: &'static [&'static str],
    may: &'static [&'static str],
    does: &'static str,
}

impl Fault {
    /// The variant's own name.
    pub(crate) fn name(self) -> &'static str {
        self.entry().name
    }

    /// What the consumer does wrong.
    pub(crate) fn does(self) -> &'static str {
        self.entry().does
    }

    /// The sentence of the contract that it breaks.
    pub(crate) fn sentence(self) -> &'static str {
        contract::sentence(self.requirements()[0])
    }

    /// The requirements that must go red.
    pub(crate) fn requirements(self) -> &'static [&'static str] {
        self.entry().must
    }

    /// Whether it shows only where the consumer is killed and started again.
    pub(crate) fn needs_restart(self) -> bool {
        self.requirements()[0].starts_with("DUR")
    }

    /// Whether it shows only in the consumer's log.
    pub(crate) fn needs_log(self) -> bool {
        self.requirements()[0].starts_with("PRV")
    }

    /// Whether `requirement` may go red: it must, or it breaks as a direct consequence. Some faults blind a check of
    /// another requirement: whether a condition is over is asked with an update, whether an answer counts with a second
    /// one, and what a consumer leaves out of the display it leaves out of the digest.
    pub(crate) fn may_break(self, requirement: &str) -> bool {
        let Entry { must, may, .. } = self.entry();
        must.contains(&requirement) || may.iter().any(|beginning| requirement.starts_with(beginning))
    }
}

faults! {
    // The envelope.
    AnyVersion ["ENV-01" "ENV-02"] [] "takes any text as arc_version";
    OldVersionToo ["ENV-02"] ["ENV-01"] "takes arc_version 0.1 too";
    VersionByPrefix ["ENV-01"] [] "takes every arc_version that begins with 0.2";
    VersionAsNumber ["ENV-01"] [] "takes the number 0.2 as arc_version";
    VersionOptional ["ENV-01"] [] "does without arc_version";
    EventIdUnbounded ["ENV-03"] ["ENV-18"] "takes an event_id of any length";
    EventIdOneShort ["ENV-03"] ["ENV-18"] "refuses an event_id of 512 characters";
    EventIdMayBeEmpty ["ENV-03"] [] "takes an empty event_id";
    EventIdMayBeNumber ["ENV-03"] [] "takes a number as event_id";
    EventTypeFolded ["ENV-04"] ["HTP-05"] "reads event_type without regard to case";
    UnknownTypeAccepted ["ENV-04"] [] "acknowledges event types that it does not know";
    OccurredAtAnyText ["ENV-05"] [] "takes any text as occurred_at";
    OccurredAtLocal ["ENV-05"] ["ASK-01"] "takes an occurred_at without offset";
    OffsetsUnbounded ["ENV-05"] ["ASK-01"] "takes offsets of more than 23 hours or 59 minutes";
    OccurredAtUtcOnly ["ENV-05"] ["ASK-01" "ANS-15"] "refuses an occurred_at with a numeric offset";
    OccurredAtImpossible ["ENV-05"] ["ASK-01"] "takes the 30th of February";
    OccurredAtWindow ["ENV-05"] [] "refuses an occurred_at an hour or more away from its own clock";
    SenderOptional ["ENV-06"] [] "does without sender";
    SenderIdUnbounded ["ENV-06"] ["ENV-18"] "takes a sender.id of any length";
    SenderNameOneOver ["ENV-06"] ["ENV-18"] "takes a sender.name of 161 characters";
    SenderVersionOneShort ["ENV-06"] ["ENV-18"] "refuses a sender.version of 100 characters";
    SessionUnbounded ["ENV-07"] ["ENV-18"] "takes a session_id of any length";
    CwdOneOver ["ENV-07"] ["ENV-18"] "takes a cwd of 1,025 characters";
    TurnIdOneShort ["ENV-07"] ["ENV-18"] "refuses a turn_id of 200 characters";
    PidMayBeNegative ["ENV-07"] [] "takes a negative pid";
    PidMayBeText ["ENV-07"] [] "takes a pid in quotes";
    KeyUnbounded ["ENV-08"] ["ENV-18"] "takes a key of any length";
    KeyMayBeBlank ["ENV-08"] [] "takes a key of spaces only";
    TitleOneOver ["ENV-08"] ["ENV-18"] "takes a title of 201 characters";
    TitleMayBeEmpty ["ENV-08"] [] "takes an empty title";
    MessageOneShort ["ENV-08"] ["ENV-18"] "refuses a message of 4,000 characters";
    MessageNarrow ["ENV-08"] ["ENV-18"] "bounds the message of an answerable event by the 2,000 characters of a prompt";
    KindAny ["ENV-08"] [] "takes any text as request.kind";
    KindFolded ["ENV-08"] [] "reads request.kind without regard to case";
    PriorityAny ["ENV-08"] [] "takes any text as priority";
    UpdateKeyOptional ["ENV-09"] [] "acknowledges an update without a key";
    ResolveKeyOptional ["ENV-09"] [] "acknowledges a resolution without a key";
    AnswerKeyOptional ["ENV-09"] [] "applies an answer without a key to the question asked last";
    CreatedKeyRequired ["ENV-09"] ["LIF-02" "LIF-03" "LIF-01" "ENV-05" "HTP-02" "DIG-01" "HTP-03"] "refuses a created event without a key";
    MessageOptional ["ENV-10"] [] "does without a message";
    UpdateKindOptional ["ENV-10"] [] "does without a kind on updates";
    ResolvedCarriesMore ["ENV-11"] ["ENV-14"] "takes a resolution that carries more than key and outcome";
    SubmittedCarriesMore ["ENV-12"] [] "takes an answer whose request carries more than a key";
    ResponseAnywhere ["ENV-13"] [] "takes a top-level response on every event type";
    ResponseMissingAccepted ["ENV-13"] [] "acknowledges response.submitted without a response";
    OutcomeAnywhere ["ENV-14"] [] "takes an outcome on created and updated";
    OutcomeAny ["ENV-14"] [] "takes any text as outcome";
    OutcomeRequired ["ENV-14"] ["LIF" "ENV-09" "HTP" "ASK-08" "ANS" "INT" "ENV-11"] "refuses a resolution without an outcome";
    UnknownInEvent ["ENV-15"] [] "ignores unknown members of the event";
    UnknownInSender ["ENV-15"] [] "ignores unknown members of sender";
    UnknownInContext ["ENV-15"] [] "ignores unknown members of context";
    UnknownInRequest ["ENV-15"] [] "ignores unknown members of request";
    UnknownInQuestion ["ENV-15"] [] "ignores unknown members of the answer specification";
    UnknownInChoice ["ENV-15"] [] "ignores unknown members of a choice";
    UnknownInAnswer ["ENV-15"] [] "ignores unknown members of an answer";
    ExtensionsRefused ["ENV-16"] ["HTP-09" "HTP-06"] "refuses extensions of other vendors";
    ExtensionsMustBeObjects ["ENV-16"] ["HTP-06"] "refuses an extension that is no object";
    ExtensionNamesFree ["ENV-17"] [] "takes any extension name";
    ExtensionNamesFolded ["ENV-17"] [] "takes extension names in upper case";
    ExtensionNamesUnbounded ["ENV-17"] [] "takes extension names of any length";
    CountsBytes ["ENV-18"] ["ENV-03" "ENV-06" "ENV-07" "ENV-08" "ASK-04" "ASK-10" "ANS-08" "ANS-09"] "counts bytes";
    CountsUtf16 ["ENV-18"] ["ENV-03" "ENV-06" "ENV-07" "ENV-08" "ASK-04" "ASK-10" "ANS-08" "ANS-09"] "counts UTF-16 units";
    NotANumberTaken ["ENV-19"] [] "reads NaN and Infinity as null";
    MalformedIsServerError ["ENV-19"] ["ENV-20" "HTP-05" "HTP-06"] "answers what is not JSON with 500";
    MalformedCloses ["ENV-19"] ["ENV-20" "HTP-05" "HTP-06"] "closes the connection on what is not JSON";
    InvalidUtf8Replaced ["ENV-19"] [] "replaces invalid UTF-8 and goes on";
    EmptyBodyAccepted ["ENV-19"] [] "acknowledges an empty body";
    TrailingTextIgnored ["ENV-19"] [] "ignores what follows the event";
    LastDuplicateWins ["ENV-20"] [] "lets the last of two members with one name win";
    // The answer specification.
    AnswerKindAny ["ASK-01"] ["INT-11"] "takes any text as the kind of an answer";
    DeadlineOptional ["ASK-01"] [] "does without expires_at";
    DeadlineAnyText ["ASK-01"] [] "takes any text as expires_at";
    OneChoiceEnough ["ASK-02"] ["INT-11"] "takes a question with one choice";
    ThirteenChoices ["ASK-02"] ["INT-11"] "takes thirteen choices";
    ElevenChoicesMost ["ASK-02"] ["INT-11"] "refuses twelve choices";
    ChoicesOptional ["ASK-02"] ["INT-11"] "takes a permission without choices";
    TextWithChoices ["ASK-02"] ["INT-11"] "takes choices on a text question";
    BoundOnChoices ["ASK-03"] ["INT-11"] "takes text_max_length on a choice question";
    BoundMayBeZero ["ASK-03"] ["INT-11"] "takes a text_max_length of 0";
    BoundOneOver ["ASK-03"] ["INT-11"] "takes a text_max_length of 2,001";
    BoundMayBeText ["ASK-03"] ["INT-11"] "takes a text_max_length in quotes";
    ChoiceIdAnyCharacters ["ASK-04"] ["INT-11" "ANS-09"] "takes any characters in a choice id";
    ChoiceIdOneOver ["ASK-04"] ["INT-11"] "takes a choice id of 65 characters";
    LabelOneOver ["ASK-04"] ["ENV-18" "INT-11"] "takes a label of 201 characters";
    LabelOptional ["ASK-04"] ["INT-11"] "does without a label";
    DetailUnbounded ["ASK-04"] ["ENV-18" "INT-11"] "takes a detail of any length";
    ChoiceIdsMayRepeat ["ASK-05"] ["INT-11"] "takes one choice id twice";
    ChoiceIdsUniqueWithLabel ["ASK-05"] ["INT-11"] "takes one choice id twice where the labels differ";
    ChoiceIdsUniqueFolded ["ASK-06"] ["ASK-05" "INT-11"] "refuses choice ids that differ in case only";
    DenyCancels ["ASK-06"] ["LIF" "ANS" "INT" "HTP"] "takes the choice `deny` for a cancellation";
    ChoiceIdLowered ["ASK-06"] ["ANS" "ASK-09"] "records the chosen id in lower case";
    ChoiceIdInterpreted ["ASK-06"] [] "reads a choice id of digits as a number: 007 comes back as 7";
    OneWayAnswerable ["ASK-07"] [] "takes an answer to a request that asks nothing";
    StoresBeforeRefusing ["ASK-08"] ["ENV" "ASK" "HTP-05"] "keeps the notification of an event whose question it refuses";
    KindDegraded ["ASK-09"] ["LIF-13" "DIG-02"] "shows a single choice as a permission";
    DetailDropped ["ASK-09"] ["DIG-02" "LIF-13" "DIG-03"] "shows choices without their detail";
    TextDefaultUnbounded ["ASK-10"] [] "bounds a text answer without text_max_length by 2,000";
    TextDefaultOneOver ["ASK-10"] [] "bounds a text answer without text_max_length by 501";
    // The lifecycle of a condition.
    AnswersUnknown ["LIF-01"] ["ANS" "ASK" "LIF" "ENV" "DIG" "NON" "HTP" "INT"] "does not know response.submitted";
    UnkeyedReplayOpens ["LIF-02"] ["LIF-03" "HTP-03"] "opens a new condition for a replay without a key";
    UnkeyedReplayRefused ["LIF-02"] ["LIF-03" "HTP-03"] "refuses a replay without a key as a conflict";
    IdentityWithoutSender ["LIF-02"] ["LIF-11"] "identifies an event by its event_id alone";
    IdentityJoined ["LIF-02"] ["LIF-11"] "joins sender.id and event_id without a separator";
    UnkeyedReplayAfterEndOpens ["LIF-03"] [] "forgets an event without a key once its condition is over";
    CreateAlwaysOpens ["LIF-04"] ["LIF" "HTP" "DIG" "NON" "ANS" "INT"] "opens a second condition under an active key";
    CreateOnActiveRefused ["LIF-04"] ["LIF" "HTP" "DIG" "NON" "ANS" "INT"] "refuses a created event under an active key";
    CreateOnActiveIgnored ["LIF-04"] ["LIF-13" "DIG" "NON" "ANS" "INT" "HTP-10"] "acknowledges a created event under an active key and changes nothing";
    CreateRevives ["LIF-05"] ["HTP-03" "ANS-12" "ANS-17" "LIF-11"] "revives the finished condition of a created event's key";
    CreateAfterAnswerRefused ["LIF-05"] ["ANS-12" "ANS-17" "HTP-03" "NON-01"] "refuses a key once it was answered";
    UpdateCreates ["LIF-06"] ["HTP-04" "ENV-08"] "creates the condition that an update does not find";
    UpdateCreatesSilently ["LIF-06"] ["HTP-04" "LIF-10"] "answers 404 to an update and creates the condition";
    UpdateRevives ["LIF-07"] ["ANS-12" "HTP-04" "ANS" "INT-08" "LIF-09" "LIF-11" "LIF-13"] "revives a finished condition on update";
    UpdateReplaces ["LIF-07"] ["ANS-12" "HTP-04" "ANS" "INT-08" "LIF-09" "LIF-11" "LIF-13"] "opens a new condition when an update comes after the end";
    UpdateAfterAnswerAccepted ["LIF-07"] ["ANS-12" "HTP-04" "LIF-13"] "acknowledges an update of an answered condition";
    UpdateIgnored ["LIF-08"] ["LIF-13" "DIG" "NON" "ANS" "INT" "HTP-10"] "acknowledges an update and changes nothing";
    UpdateKeepsTitle ["LIF-08"] ["LIF-13" "DIG-02"] "keeps the first title on updates";
    UpdateKeepsPriority ["LIF-08"] ["HTP-10"] "keeps the first priority on updates";
    UpdateKeepsKind ["LIF-08"] ["LIF-13" "DIG-02"] "keeps the first kind on updates";
    ResolveOnlyOnce ["LIF-09"] ["HTP" "LIF-11"] "answers the second resolution of a condition with 404";
    ResolveKeepsActive ["LIF-09"] ["LIF" "HTP" "ANS-05" "ANS-17" "NON-01" "ANS-10"] "acknowledges a resolution and leaves the condition active";
    ResolveUnknownAccepted ["LIF-10"] ["HTP-04" "LIF-06" "ASK-08" "ENV" "ASK" "HTP"] "acknowledges the resolution of an unknown key";
    KeyedReplayReopens ["LIF-11"] ["ANS-03" "HTP-03"] "forgets the events of a condition that is over";
    ResolveKeepsQuestion ["LIF-12"] ["ANS-05" "ANS-17" "INT" "LIF-16" "HTP-05" "ANS-10"] "leaves the question open when its condition is resolved";
    ResolveKeepsWaiter ["LIF-12"] ["INT-05"] "leaves the waiter hanging when the condition is resolved";
    UpdateKeepsDigest ["LIF-13"] ["DIG-02" "DIG-03" "NON-01" "ANS-06" "ANS-07" "INT" "ANS-05"] "keeps digest and nonce when the question changes";
    CreationKeepsQuestion ["LIF-13"] [] "keeps digest and nonce on a creation without response";
    UpdateWithoutResponseKeepsDigest ["LIF-13"] ["ANS-06"] "keeps digest and nonce on an update without response";
    TitleKeepsDigest ["LIF-13"] ["DIG-02" "DIG-03" "NON-01" "ANS-06"] "keeps digest and nonce when only the title changes";
    LabelsKeepDigest ["LIF-13"] ["DIG-02" "DIG-03" "NON-01" "ANS-06"] "keeps digest and nonce when only labels change";
    SupersededAnswerable ["LIF-13"] ["ANS-05" "ANS-06" "ANS-07" "INT"] "takes the digest and nonce of a superseded question";
    KeysCut ["LIF-10"] ["LIF-14"] "looks at the first 64 characters of a key";
    KeysFolded ["LIF-14"] [] "takes keys that differ in case for one";
    KeysPerSender ["LIF-14"] ["LIF-01" "LIF" "ANS" "ASK" "INT" "ENV" "HTP"] "gives every sender keys of its own";
    ContextMustMatch ["LIF-15"] ["ANS-16"] "refuses an answer whose project is not the question's";
    OutcomeIsAnswer ["LIF-16"] ["ANS-14"] "takes outcome answered for an answer: the first choice";
    // The six rules.
    UnknownKeyRejected ["ANS-01"] ["HTP-04" "INT-06"] "answers 400 to an answer under an unknown key";
    DigestBeforeNotFound ["ANS-01"] ["HTP-04"] "judges the digest before it looks for the condition";
    ConflictBeforeNotFound ["ANS-01"] ["HTP-04"] "answers 409 under an unknown key where it knows the response_id";
    ResponseIdFolded ["ANS-02"] ["ANS-03" "INT-06"] "compares response_id without regard to case";
    DigestBeforeConflict ["ANS-02"] ["HTP-04" "INT-06"] "judges the digest before the conflict";
    NonceBeforeConflict ["ANS-02"] ["HTP-04" "INT-06"] "judges the nonce before the conflict";
    ShapeBeforeConflict ["ANS-02"] ["HTP-04" "INT-06" "INT-09" "ANS-10"] "judges the shape before the conflict";
    TextRetryConflicts ["ANS-03"] ["ANS-11" "LIF-11" "HTP-03" "ANS-04"] "answers 409 to the accepted response_id of a text";
    ReplayConflicts ["ANS-03"] ["ANS-11" "INT-06" "LIF-11" "HTP-03" "INT-09"] "answers 409 to the accepted response_id";
    ReplayExpires ["ANS-03"] [] "refuses a replay once the deadline has passed";
    ReplayEndsWithResolution ["ANS-03"] [] "refuses a replay once the condition was resolved";
    ReplayShowsAnother ["ANS-03"] ["ANS-04" "ANS-11" "LIF-11" "INT-06"] "shows another choice when an answer is replayed";
    ResponseIdEverywhere ["ANS-03"] ["ANS-13" "ANS-04"] "takes a response_id accepted under another key for a replay";
    ResponseIdOverwrites ["ANS-04"] ["INT-08"] "lets a reused response_id change the accepted answer";
    ExpiredAnswerable ["ANS-05" "ANS-15"] ["ANS-14" "INT"] "takes an answer after the deadline";
    CancelledAnswerable ["ANS-05"] ["INT-06" "INT-07" "INT-08" "INT-09" "LIF-12" "LIF-16" "HTP-05"] "takes an answer to a cancelled question";
    DigestUnchecked ["ANS-06"] ["LIF-13" "ANS-13" "HTP-05" "INT-06" "ANS-16"] "does not look at the digest";
    DigestFirstDigitFree ["ANS-06"] ["INT-06"] "does not look at the first digit of the digest";
    TextNeedsNoDigest ["ANS-06"] ["ANS-13" "LIF-13"] "does not look at the digest of a text";
    DigestByPrefix ["ANS-06"] ["HTP-05" "INT-06"] "compares the first eight digits of the digest";
    DigestOfQuestionBefore ["ANS-06"] [] "takes the digest of a question that was superseded, with the nonce of the present one";
    NonceUnchecked ["ANS-07"] ["ANS-13" "ANS-16" "ANS-17" "LIF-13" "HTP-05" "INT-06"] "does not look at the nonce";
    NonceOnlyWhenPresent ["ANS-07"] ["ANS-13" "ANS-16" "HTP-05" "INT-06"] "compares the nonce only where there is one";
    TextNeedsNoNonce ["ANS-07"] ["ANS-13" "LIF-13"] "does not look at the nonce of a text";
    NonceByPrefix ["ANS-07"] ["INT-06"] "takes the beginning of the nonce for the nonce";
    NonceByStart ["ANS-07"] ["INT-06"] "takes a text that begins with the nonce for the nonce";
    NonceOfQuestionBefore ["ANS-07"] [] "takes the nonce of a question that was superseded, with the digest of the present one";
    NonceFolded ["ANS-07"] ["INT-06"] "compares the nonce without regard to case";
    NonceTrimmed ["ANS-07"] ["INT-06"] "trims the nonce";
    ChoiceUnchecked ["ANS-08"] ["ANS-13" "ASK-06" "HTP-05" "INT-06"] "takes a choice that was not offered";
    ChoiceFolded ["ANS-08"] ["ASK-06" "INT-06"] "compares choice ids without regard to case";
    TextForChoice ["ANS-08"] ["ANS-13" "HTP-05" "INT-06"] "takes a text for a choice";
    ChoiceForText ["ANS-08"] ["ANS-13" "HTP-05" "INT-06"] "takes a choice for a text";
    TextUnbounded ["ANS-08"] ["ASK-10" "ENV-18" "ANS-13" "HTP-05" "INT-06"] "does not bound a text answer";
    TextOneOver ["ANS-08"] ["ASK-10" "ENV-18" "INT-06"] "takes a text one character over its bound";
    TextTrimmed ["ANS-08"] ["ASK-10" "INT-06"] "trims a text before it counts";
    SourceAny ["ANS-09"] ["ENV-18" "INT-06"] "takes any text as source";
    BothAccepted ["ANS-09"] ["INT-06"] "takes an answer with choice_id and text";
    NeitherAccepted ["ANS-09"] ["INT-06"] "takes an answer with neither choice_id nor text";
    ResponseIdUnbounded ["ANS-09"] ["ENV-18" "INT-06"] "takes a response_id of any length";
    DigestUpperAccepted ["ANS-09"] ["ANS-06" "INT-06"] "takes a digest in upper case";
    SecondAnswerWins ["ANS-02" "ANS-10"] ["ANS" "HTP-04" "INT" "LIF-03" "LIF-07" "LIF-13"] "lets the latest answer win";
    SecondAnswerAcknowledged ["ANS-02"] ["ANS-10" "HTP-04" "INT-06" "INT-09" "LIF-03" "LIF-07" "LIF-13" "ANS-03" "ANS-04" "ANS-11" "ANS-12"] "acknowledges a second answer with the first one's record";
    SecondAnswerWinsRaces ["ANS-10"] ["ANS-02" "ANS-11" "INT-09" "INT-06" "LIF-13"] "leaves a window of a few milliseconds between judging and accepting";
    RetriesRace ["ANS-11"] ["ANS-10" "INT-09" "LIF-13"] "answers 409 to a copy that comes while the answer is being accepted";
    AnsweredStaysActive ["ANS-12"] ["LIF-05" "LIF-07" "HTP" "ANS" "NON-01" "LIF-13"] "leaves an answered condition active";
    WrongDigestCloses ["ANS-13"] ["ANS-06" "LIF-13" "INT-06" "HTP-05" "ANS-16"] "closes the question on a wrong digest";
    WrongNonceRenews ["ANS-13"] ["ANS-07" "ANS-16" "ANS-17" "INT-06" "HTP-05"] "issues another nonce after a wrong one";
    WrongChoiceCloses ["ANS-13"] ["ANS-08" "ASK" "INT-06" "HTP-05"] "closes the question on a wrong shape";
    SilenceIsFirstChoice ["ANS-14"] ["ANS-05" "ANS-15" "INT" "HTP-05"] "turns an expired question into its first choice";
    DeadlineGrace ["ANS-15"] ["ANS-05" "ANS-14" "INT-05" "INT-06" "INT-08"] "takes an answer up to a second and a half after the deadline";
    PastDeadlineStretched ["ANS-05"] ["ANS-15"] "opens a question whose deadline has passed for ten minutes";
    UpdateKeepsDeadline ["ANS-15"] ["ANS-05" "INT"] "keeps the old deadline when an update brings another";
    DeadlineMinimum ["ANS-15"] ["ANS-05" "ANS-14" "INT" "ANS-03"] "extends every deadline to thirty seconds at least";
    DeadlineWithoutOffset ["ANS-15"] ["ANS-05" "ANS-14" "INT"] "ignores the offset of expires_at";
    CreatorNeedsNoNonce ["ANS-16"] ["ANS-07"] "takes an answer without nonce from the sender that asked";
    ContextAuthorizes ["ANS-16"] ["LIF-15" "ANS-07"] "takes an answer without nonce from the place where it was asked";
    NonceKeptPerKey ["ANS-17" "NON-01"] ["NON-02"] "issues the nonce of the last life when a key asks the same again";
    EarlierLifeAnswers ["ANS-17"] ["ANS-07"] "takes the nonce of an earlier life of the key";
    // Digest and nonce.
    DigestInUpperCase ["DIG-01"] ["ANS" "ASK" "LIF" "HTP" "INT" "NON" "ENV" "DIG"] "issues the digest in upper case";
    DigestShort ["DIG-01"] ["ANS" "ASK" "LIF" "HTP" "INT" "NON" "ENV" "DIG"] "issues 32 digits of the digest";
    DigestWithoutKind ["DIG-02"] [] "leaves the request's kind out of the digest";
    DigestWithoutTitle ["DIG-02"] ["DIG-03"] "leaves the title out of the digest";
    DigestWithoutMessage ["DIG-02"] ["DIG-03" "ANS-06"] "leaves the message out of the digest";
    DigestWithoutChoiceId ["DIG-02"] ["DIG-03"] "leaves the choice ids out of the digest";
    DigestWithoutLabel ["DIG-02"] ["DIG-03"] "leaves the labels out of the digest";
    DigestWithoutDetail ["DIG-02"] ["DIG-03"] "leaves the details out of the digest";
    DigestWithoutOrder ["DIG-02"] [] "sorts the choices before it digests them";
    DigestWithoutCount ["DIG-02"] [] "digests the first two choices";
    DigestWithoutBound ["DIG-02"] [] "leaves the bound of a text out of the digest";
    DigestOfBeginnings ["DIG-02"] [] "digests the first hundred characters of each text";
    DigestFoldsCase ["DIG-02"] ["DIG-03"] "digests everything in lower case";
    DigestJoined ["DIG-03"] [] "joins the displayed fields with a vertical bar";
    DigestJoinedByLines ["DIG-03"] [] "writes the displayed fields into lines and digests those";
    DigestConcatenated ["DIG-03"] ["DIG-02"] "joins the displayed fields without a separator";
    NonceKeptOnSupersede ["NON-01"] ["LIF-13" "ANS-07"] "keeps the nonce when a question is superseded";
    NonceFromQuestion ["NON-01"] ["ANS-17" "NON-02"] "derives the nonce from what is asked";
    NonceShort ["NON-02"] ["NON-01"] "issues nonces of four characters";
    NonceCounter ["NON-02"] ["ANS-07"] "counts its nonces";
    NonceClock ["NON-02"] ["NON-01" "ANS-07"] "issues the time as nonce";
    // The HTTP binding.
    AuthOptional ["HTP-01"] ["INT-13"] "does without a token";
    AuthFolded ["HTP-01"] ["INT-13"] "compares the token without regard to case";
    AuthByPrefix ["HTP-01"] ["INT-13"] "takes the beginning of the token";
    AuthByStart ["HTP-01"] ["INT-13"] "takes a text that begins with the token";
    AuthInQuery ["HTP-01"] ["INT-13"] "takes the token from the query";
    AuthEmptyAccepted ["HTP-01"] ["INT-13"] "takes an empty token";
    AuthIs403 ["HTP-01"] ["INT-13"] "answers 403 to a missing token";
    AuthStoresFirst ["HTP-01"] [] "stores the event before it asks for the token";
    InteractionMissing ["HTP-02"] ["HTP" "LIF" "ANS" "ASK" "DIG" "NON" "ENV" "INT"] "leaves interaction out of its replies";
    InteractionOnOneWay ["HTP-02"] ["ASK-07"] "shows an empty interaction on a one-way request";
    InteractionNullOnAnswer ["HTP-02"] ["ANS" "ASK" "LIF" "INT" "HTP-08"] "shows no interaction in the reply to an answer";
    CreatedIs200 ["HTP-03"] ["LIF" "ENV" "ASK" "HTP"] "answers 200 to a newly persisted request";
    UpdateIs201 ["HTP-03"] ["LIF" "HTP-04"] "answers 201 to an update";
    ReplayIs201 ["HTP-03"] ["LIF"] "answers 201 to a replay";
    MissingIs400 ["HTP-04"] ["LIF" "ANS-01" "ANS-12" "ASK-08" "INT-06" "INT"] "answers 400 where a condition is missing";
    ConflictIs400 ["HTP-04"] ["ANS" "INT" "LIF-03" "LIF-07"] "answers 400 to a second answer";
    InvalidIs422 ["HTP-05"] ["ENV" "ASK" "HTP" "ANS-09" "INT-11"] "answers 422 to an invalid event";
    NotOpenIs409 ["HTP-05"] ["ANS-05" "ANS-15" "LIF" "INT"] "answers 409 to an answer that comes after the end";
    DigestIs409 ["HTP-05"] ["ANS-06" "ANS-16" "LIF-13" "INT-06"] "answers 409 to another digest";
    NonceIs403 ["HTP-05"] ["ANS-07" "ANS-16" "ANS-17" "INT-06"] "answers 403 to another nonce";
    ShapeIs422 ["HTP-05"] ["ANS-08" "ASK" "INT-06" "ENV-18"] "answers 422 to an answer of the wrong shape";
    BodyUnbounded ["HTP-06"] [] "takes a body over 64 KiB";
    BodyLimitInCharacters ["HTP-06"] [] "counts 64 Ki characters instead of bytes";
    BodyLimitLow ["HTP-06"] ["ENV-16"] "refuses a body of 32 KiB";
    OversizeIs400 ["HTP-06"] [] "answers 400 to a body over 64 KiB";
    OversizeStored ["HTP-06"] [] "answers 413 to a body over 64 KiB and stores the event";
    RateLimitSilent ["HTP-07"] [] "answers 429 without saying when to retry";
    NotificationStaysActive ["HTP-08"] ["ANS-12"] "leaves the notification of an answered condition active";
    AgentnotifyOpen ["HTP-09"] [] "ignores unknown members of x-agentnotify";
    NotificationTypeAsId ["HTP-09"] [] "takes for a notification_type what is good for a choice id";
    NotificationTypeAny ["HTP-09"] [] "takes any value as notification_type";
    PriorityAlwaysNormal ["HTP-10"] [] "gives every kind the priority normal";
    // The interactions routes.
    OpenIs200 ["INT-01"] ["INT-02"] "answers 200 to a question opened through the route";
    OpenHidesDigest ["INT-01"] ["INT"] "does not return the digest of a question opened through the route";
    AskAlwaysNew ["INT-02"] [] "opens another interaction when a key asks the same again";
    AskKeepsOld ["INT-02"] ["INT-05" "INT-08"] "returns the pending interaction when a key asks something else";
    GetUnknownIsNull ["INT-03"] [] "answers 200 and null to an unknown id";
    ListIgnoresPending ["INT-04"] [] "ignores the filter pending";
    PendingListsExpired ["INT-04"] [] "lists expired questions among the pending ones";
    ListIgnoresStatus ["INT-04"] [] "ignores the filter status";
    ListIgnoresAgent ["INT-04"] [] "ignores the filter agent";
    ListIgnoresProject ["INT-04"] [] "ignores the filter project";
    ListIgnoresSession ["INT-04"] [] "ignores the filter session";
    ListIgnoresLimit ["INT-04"] [] "ignores the filter limit";
    WaitReturnsEarly ["INT-05"] ["LIF-12"] "returns the pending state at once";
    WaitTakesItsTime ["INT-05"] ["LIF-12" "INT-07"] "returns only when its timeout passes";
    WaitIgnoresTimeout ["INT-05"] [] "waits for the end, however long it takes";
    WaitMissesCancel ["INT-05"] ["INT-07" "LIF-12"] "sleeps through a cancellation";
    WaitMissesExpiry ["INT-05"] ["ANS-14"] "sleeps through the deadline";
    WaitExpiresByChance ["INT-05"] ["ANS-14"] "wakes a waiter at its deadline only when some other request comes by";
    WaitMissesSupersede ["INT-05"] ["INT-02"] "sleeps through a superseding question";
    WaitMissesEvents ["INT-05"] ["INT-09" "LIF-12"] "sleeps through an answer that comes as an event";
    WaitMissesEnd ["INT-05"] ["LIF-12"] "waits for a question that is already over";
    WaitZeroIsServerError ["INT-05"] [] "answers 500 to a timeout out of range";
    RespondSkipsDigest ["INT-06"] ["INT-09"] "does not look at the digest in respond";
    RespondSkipsNonce ["INT-06"] ["INT-09"] "does not look at the nonce in respond";
    RespondUnknownIs400 ["INT-06"] [] "answers 400 to an answer to an unknown id";
    RespondConflictIs400 ["INT-06"] ["INT-09" "INT-08"] "answers 400 to a second answer in respond";
    RespondNeverReplays ["INT-06"] ["INT-09"] "answers 409 to the accepted response_id in respond";
    CancelIgnored ["INT-07"] ["ANS-05" "INT-05" "INT-08"] "acknowledges a cancellation and leaves the question open";
    CancelUnknownAccepted ["INT-07"] [] "acknowledges the cancellation of an unknown id";
    CancelOverwritesAnswer ["INT-08"] ["INT-07" "ANS-03"] "turns an answered question into a cancelled one";
    CancelRaces ["INT-08"] ["INT-06" "INT-07" "INT-09" "ANS-03"] "looks whether a question is open, and cancels it a moment later whatever has come of it";
    CancelledRevived ["INT-08"] ["INT-02" "INT-07"] "revives a cancelled question when its key asks the same again";
    SupersededRespondable ["INT-08"] ["INT-06" "INT-02" "ANS-05" "LIF-13"] "takes an answer to a superseded question through respond";
    DeadlineOverwritesAnswer ["INT-08"] ["ANS-03" "ANS-14"] "turns an answered question into an expired one at its deadline";
    DoorsDisagree ["INT-09"] ["ANS-02" "ANS-10"] "does not tell the events route of answers through respond";
    CamelCase ["INT-10"] ["INT" "HTP" "DIG" "ANS" "ASK" "LIF" "NON" "ENV"] "writes interactions in camelCase";
    PromptUnbounded ["INT-11"] [] "takes a prompt of any length";
    AskOneChoice ["INT-11"] [] "takes a question with one choice through the route";
    AskIdsUnchecked ["INT-11"] [] "takes any characters in a choice id through the route";
    AskIdsMayRepeat ["INT-11"] [] "takes one choice id twice through the route";
    AskBoundUnchecked ["INT-11"] [] "takes any text_max_length through the route";
    PublishUnknownRejected ["INT-12"] [] "answers 400 to the publication of an unknown id";
    PublishWithoutNumber ["INT-12"] [] "acknowledges a publication without a number";
    RoutesOpen ["INT-13"] ["HTP-01"] "asks no token of the interactions routes";
    WaitOpen ["INT-13"] ["HTP-01"] "asks no token of a wait";
    // After a crash.
    RestartForgets ["DUR-01" "DUR-02"] [] "forgets everything when it is started again";
    RestartForgetsAnswers ["DUR-01"] ["DUR-02"] "has only the questions back when it is started again";
    RestartForgetsNonces ["DUR-01"] ["DUR-02"] "issues other nonces for open questions when it is started again";
    RestartForgetsEvents ["DUR-01"] ["DUR-02"] "takes every replay for a new event when it is started again";
    RestartLosesLastMoments ["DUR-02"] ["DUR-01"] "loses the answers that it acknowledged shortly before a crash";
    // Logs.
    LogsNonce ["PRV-01"] [] "writes the nonce into its log";
    LogsNonceOfAnswers ["PRV-01"] [] "writes the nonce of an answer into its log";
    LogsPrompt ["PRV-02"] [] "writes the message into its log";
    LogsChoices ["PRV-02"] [] "writes the labels of choices into its log";
    LogsAnswer ["PRV-02"] [] "writes the text of an answer into its log";
    LogsDigest ["PRV-02"] [] "writes the digest into its log";
    LogsRefused ["PRV-02"] ["PRV-01"] "writes the events that it refuses into its log";
    LogsToken ["PRV-03"] [] "writes the token of a request into its log";
}
