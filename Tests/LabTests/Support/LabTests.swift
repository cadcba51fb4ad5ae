import Testing

/// Tests on a LAN of real hosts with real daemons, and with mDNS implementations that we did not write.
///
/// They run one at a time, since they take interfaces down and stop daemons. `scripts/test` starts several labs, which divide
/// the tests among themselves; those that need both cores run after all others.
@Suite(
    .serialized,
    .enabled(if: Lab.absence == nil, "\(Lab.absence ?? "")"),
    .timeLimit(.minutes((Lab.isLong ? 20 : 3) + Lab.age)),
    .dividedAmongLabs,
    .restoresHosts,
    .endsItsProcesses
)
struct LabTests {}
