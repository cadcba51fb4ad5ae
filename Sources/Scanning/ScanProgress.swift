/// The progress of a scan.
package struct ScanProgress: Hashable, Sendable {
    /// The number of services that are present and either resolved or impossible to resolve.
    package var services = 0

    /// The number of endpoints to which these services and the entered addresses lead, including refused ones.
    package var targets = 0

    /// The number of those that have been asked, or must not be.
    package var asked = 0

    /// The number of gateways that have answered there. Several endpoints can lead to one gateway.
    package var gateways = 0

    /// The number of targets that wait since too many others lead to the same address.
    package var putOff = 0

    /// The number of probes that run or wait for their turn, including those of further addresses.
    package var remaining = 0

    /// Creates the progress of a scan that has found nothing yet.
    package init() {}
}
