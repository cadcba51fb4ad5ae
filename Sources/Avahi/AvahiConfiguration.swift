/// The settings of the Avahi backend. The defaults are right for every program that has no reason to change them.
///
/// Backends with equal settings share one connection and its thread.
package struct AvahiConfiguration: Hashable, Sendable {
    /// The daemon's configuration file, read for its limits. A file that cannot be read means Avahi's defaults.
    package var configurationFile: String

    /// The number of objects that one bus connection may hold before the next one is opened. The daemon refuses more
    /// than its `objects-per-client-max`, by default 1,024.
    package var objectsPerConnection: Int

    /// The maximum number of service instances that are followed; further instances are left out, and a warning is
    /// reported once. Instances of this program, and those that are known to be alive by other means, are followed in
    /// addition.
    package var maximumInstances: Int

    /// The total time to wait for SRV, TXT and address records before an instance counts as not resolvable.
    package var resolutionTimeout: Duration

    /// The time within which services that were known before a restart of the daemon must be found again, counted from
    /// when the daemon has reported what it knows. After that they are lost.
    package var catchUpTime: Duration

    /// The time that a call may wait for the daemon before the daemon counts as not answering.
    package var answerTimeout: Duration

    /// The time that a call may wait before its connection is given up. It should be longer than ``answerTimeout``, and
    /// than the time for which a daemon is busy with a few thousand services.
    package var abandonTimeout: Duration

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - configurationFile: See ``configurationFile``.
    ///   - objectsPerConnection: See ``objectsPerConnection``.
    ///   - maximumInstances: See ``maximumInstances``.
    ///   - resolutionTimeout: See ``resolutionTimeout``.
    ///   - catchUpTime: See ``catchUpTime``.
    ///   - answerTimeout: See ``answerTimeout``.
    ///   - abandonTimeout: See ``abandonTimeout``.
    package init(
        configurationFile: String = "/etc/avahi/avahi-daemon.conf",
        objectsPerConnection: Int = 1_000,
        maximumInstances: Int = 16_384,
        resolutionTimeout: Duration = .seconds(5),
        catchUpTime: Duration = .seconds(3),
        answerTimeout: Duration = .seconds(2),
        abandonTimeout: Duration = .seconds(20)
    ) {
        self.configurationFile = configurationFile
        self.objectsPerConnection = objectsPerConnection
        self.maximumInstances = maximumInstances
        self.resolutionTimeout = resolutionTimeout
        self.catchUpTime = catchUpTime
        self.answerTimeout = answerTimeout
        self.abandonTimeout = abandonTimeout
    }
}
