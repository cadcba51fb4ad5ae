/// A group whose rows may have changed, and because of which lead; `nil` when it was a bot.
struct Dirty {
    let group: Slot<LeadGroup>
    let lead: Slot<Lead>?

    /// The lead as it is shown now, where that was looked at already.
    var picture: LeadPicture?
}
