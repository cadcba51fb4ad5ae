internal import DNSSD

extension BrowseMerge {
    /// A source, and the extent to which its reports count.
    struct Source {
        /// A phase in the life of a source.
        enum Phase: Hashable {
            /// A standby that is not needed. It has no reports.
            case idle

            case working

            /// A standby whose primary source works again. It goes on until that one has caught up.
            case leaving(until: ContinuousClock.Instant)

            /// Its daemon has gone away. Its earlier reports rank below those of others, and count until these have
            /// caught up.
            case away(until: ContinuousClock.Instant)

            /// Its daemon has been gone for longer. Its earlier reports do not count, but are remembered: once it is
            /// back, it reports only what is new to it.
            case absent

            /// Its daemon is back. Its earlier reports rank below those of others until it has caught up.
            case returning(until: ContinuousClock.Instant)
        }

        let traits: SourceTraits
        var phase: Phase
        var status = BackendStatus.starting
        var activity = BackendActivity.idle

        /// The number of times that its daemon has gone away. Reports from earlier epochs are old.
        var epoch = 0

        /// The first epoch whose reports count while its daemon is away, or has only just come back.
        var firstCountingEpoch = 0

        /// The number of times that a standby was needed.
        var run = 0

        var isAtWork: Bool { phase != .idle }

        /// Indicates whether it works and its daemon is present, as far as is known.
        var isPresent: Bool {
            switch phase {
            case .working, .leaving, .returning: true
            case .idle, .away, .absent: false
            }
        }

        var isAuthority: Bool { traits.isAuthority }

        /// The end of the phase.
        var deadline: ContinuousClock.Instant? {
            switch phase {
            case .idle, .working, .absent: nil
            case .leaving(let time), .away(let time), .returning(let time): time
            }
        }
    }
}
