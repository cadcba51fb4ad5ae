import Testing

/// Tests on a LAN of real hosts with real daemons, and with peers that we did not write.
///
/// One at a time: they take interfaces down and stop daemons. `scripts/test` runs the suites whose hosts are on LANs of their
/// own in a second process beside the others; a suite that it names there must not touch the shared hosts.
/// Suites that need both cores come after all others.
@Suite(
    .serialized,
    .enabled(if: Lab.absence == nil, "\(Lab.absence ?? "")"),
    .timeLimit(.minutes(Lab.isLong ? 20 : 3)),
    .endsItsProcesses
)
struct LabTests {}
