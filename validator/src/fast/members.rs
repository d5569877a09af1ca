//! The members of an object, which producers mostly write in the contract's order.

/// Reads an object: for each member, what reads its value. They are tried in the order in which they are listed, so that a
/// name needs neither be read nor looked up; what stands in another order, or is spelled in another way, is looked up.
/// Returns `None` from the function around it where an unknown member stands, or where a value cannot be read.
macro_rules! members {
    ($lane:ident: $($name:literal => $read:expr,)+) => {{
        let mut more = $lane.open()?;
        $(if more && $lane.scan.take_exactly(concat!('"', $name, "\":")) {
            $read?;
            more = $lane.more()?;
        })+
        while more {
            match &*$lane.name()? {
                $($name => $read?,)+
                _ => return None,
            }
            more = $lane.more()?;
        }
    }};
}

pub(super) use members;
