/// The warnings that a limit was exceeded, worded for people.
extension BackendWarning {
    package static func packetsLost(on path: ServicePath) -> BackendWarning {
        BackendWarning(
            .packetsLost,
            """
            Packets on \(path) came faster than they could be taken in, and some were lost; what they told is asked for \
            again. More room for them: sysctl -w net.core.rmem_max=4194304.
            """
        )
    }

    package static func tooManyInstances(limit: Int) -> BackendWarning {
        BackendWarning(
            .tooManyInstances,
            """
            More than \(limit) services, or more than their records may take: those are left out that came last from \
            whoever has most. Look for who publishes so many, or browse for fewer types.
            """
        )
    }

    package static func tooManyRecords(on path: ServicePath, limit: Int) -> BackendWarning {
        BackendWarning(
            .tooManyRecords,
            """
            A host or a service on \(path) has more than \(limit) addresses, or other records of one kind. Those on top are \
            left out.
            """
        )
    }

    package static func tooManyQuestions(from address: IPAddress, limit: Int) -> BackendWarning {
        BackendWarning(
            .tooManyQuestions,
            """
            \(address) asks for more than \(limit) records a second. What is beyond that is not answered; whoever asks so \
            much is broken or means harm.
            """
        )
    }
}
