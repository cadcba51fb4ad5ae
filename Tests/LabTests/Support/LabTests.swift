import Testing

/// Tests on a LAN of real hosts with real daemons, and with mDNS implementations that we did not write.
///
/// They run one at a time, since they take interfaces down and stop daemons. `scripts/test` runs them in three labs at once,
/// and the suites that need both cores after all others.
@Suite(
    .serialized,
    .enabled(if: Lab.absence == nil, "\(Lab.absence ?? "")"),
    .timeLimit(.minutes((Lab.isLong ? 20 : 3) + Lab.age)),
    .restoresHosts,
    .endsItsProcesses
)
struct LabTests {}
