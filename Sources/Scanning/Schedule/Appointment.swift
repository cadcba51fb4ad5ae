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
    let purpose: Purpose

    static func == (lhs: Appointment, rhs: Appointment) -> Bool { lhs.time == rhs.time }
    static func < (lhs: Appointment, rhs: Appointment) -> Bool { lhs.time < rhs.time }
}
