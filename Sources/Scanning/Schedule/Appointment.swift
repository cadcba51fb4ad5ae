/// Something that is due at a time.
struct Appointment: Comparable {
    enum Purpose: Hashable {
        /// A target is to be looked at; the number is its appointment.
        case look(target: Int, number: Int)
        /// The time for the answers to a check is over.
        case checkOver(target: Int, check: Int)
        /// A probe that was put off may be tried again.
        case retry(ProbeJob)
    }

    let time: ContinuousClock.Instant

    /// Whether it goes before what is due at the same time.
    var isUrgent = false

    /// When it was due first, if it had to wait for its turn: who has waited longest comes first.
    var waitsSince: ContinuousClock.Instant?

    let purpose: Purpose

    static func == (lhs: Appointment, rhs: Appointment) -> Bool { !(lhs < rhs) && !(rhs < lhs) }

    static func < (lhs: Appointment, rhs: Appointment) -> Bool {
        if lhs.time != rhs.time { return lhs.time < rhs.time }
        if lhs.isUrgent != rhs.isUrgent { return lhs.isUrgent }
        return (lhs.waitsSince ?? lhs.time) < (rhs.waitsSince ?? rhs.time)
    }
}
