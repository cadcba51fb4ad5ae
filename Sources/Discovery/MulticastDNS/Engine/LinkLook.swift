internal import DNSSD
internal import HostSystem

/// The source from which an engine learns of the links of this host.
struct LinkLook: ~Copyable {
    /// Returns the present links; `nil` for those of the system, which reports changes.
    let present: (@Sendable () -> [Link])?

    /// The monitor of the system's links, while the engine is in use.
    var monitor: LinkMonitor?

    /// The pacing of the look at the links after changes.
    var pacing = LinkPacing()
}
