internal import Reports

/// The wall clock of this host, and what is wrong with it. A value.
///
/// A host without a battery begins at a fixed date until it has asked a time server: certificates look invalid until then,
/// and times that are stored are wrong.
struct ClockWatch {
    /// The earliest time that can be right: this program is not older.
    private static let earliest = Timestamp(milliseconds: 1_767_225_600_000)

    /// The time for which a jump is told.
    private static let memory = Duration.seconds(600)

    private var steps = ClockSteps()
    private var jump: (step: ClockSteps.Step, instant: ContinuousClock.Instant)?

    /// Takes in a look at the clocks.
    ///
    /// - Parameters:
    ///   - time: The time by the wall clock.
    ///   - instant: The same moment by the clock that nobody sets.
    /// - Returns: What is wrong with the wall clock, for people; `nil` if nothing is.
    mutating func look(_ time: Timestamp, _ instant: ContinuousClock.Instant) -> String? {
        if let step = steps.look(time, instant) {
            jump = (ClockSteps.Step(from: jump?.step.from ?? step.from, to: step.to), instant)
        }
        if time < Self.earliest {
            return "the clock of this host says \(time): it has not been set, and certificates seem not to be valid yet"
        }
        if let told = jump, instant - told.instant >= Self.memory { jump = nil }
        return jump.map { jump in
            "the clock of this host was set from \(jump.step.from) to \(jump.step.to): times of before are of the old one"
        }
    }
}
