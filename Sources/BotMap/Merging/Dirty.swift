/// A group whose rows may have changed, and because of which lead; `nil` when it was a bot.
struct Dirty {
    let group: GroupKey
    let lead: GatewayLead?
}
