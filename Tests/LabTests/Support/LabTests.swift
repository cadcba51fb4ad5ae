import Testing

/// Tests on a LAN of real hosts with real daemons, and with mDNS implementations that we did not write.
///
/// They run one at a time, since they take interfaces down and stop daemons. `scripts/test` runs the suites that add all
/// of their hosts themselves in three more labs beside the one of four hosts; a suite that it names there must not touch
/// those. Suites that need both cores run after all others.
@Suite(
    .serialized,
    .enabled(if: Lab.absence == nil, "\(Lab.absence ?? "")"),
    .timeLimit(.minutes(Lab.isLong ? 20 : 3)),
    .endsItsProcesses
)
struct LabTests {}
