internal import CoreMetrics
internal import DNSSD
internal import HostSystem

/// The services that this process publishes.
extension MulticastDNSEngine {
    /// Begins to publish a service. `report` is called on the engine's thread.
    ///
    /// - Throws: When the service can never be published.
    func publish(
        _ advertisement: Advertisement,
        report: @escaping @Sendable (PublicationState) -> Void
    ) throws(BackendError) -> PublicationID {
        openIfIdle()
        do throws(BackendError) {
            let id = try responder.publish(advertisement, now: clock.now, using: &random)
            publications[id] = report
            turn()
            return id
        } catch {
            closeIfIdle()
            throw error
        }
    }

    /// Replaces the TXT record of a publication.
    func update(_ id: PublicationID, text: TXTRecord) {
        responder.update(id, text: text, now: clock.now)
        turn()
    }

    /// Withdraws a publication. When this returns, the goodbye has been sent, and nothing more is reported.
    func withdraw(_ id: PublicationID) {
        responder.withdraw(id, now: clock.now)
        endPublication(id)
    }

    /// Ends a publication that goes on elsewhere on this host, without a goodbye, so that nobody sees it vanish.
    func stopSilently(_ id: PublicationID) {
        responder.stopSilently(id, now: clock.now)
        endPublication(id)
    }

    private func endPublication(_ id: PublicationID) {
        turn()
        publications[id] = nil
        closeIfIdle()
        turn()
    }

    /// Performs the actions that the responder requests.
    func perform(_ actions: [ResponderAction]) {
        var isNamedAnew = false
        for action in actions {
            switch action {
            case .send(let packet, on: let path, to: let target):
                guard let port = ports[path] else { continue }
                metrics.sent.increment()
                port.echoes.insert(packet)
                // A lost packet is asked for again, and where nothing can be sent nobody can receive it.
                try? port.link.send(packet, to: target)
            case .report(let id, let state):
                isNamedAnew = true
                publications[id]?(state)
            case .warn(let warning):
                warn(warning)
            }
        }
        guard isNamedAnew else { return }
        let instances = responder.instances
        for port in ports.values { port.querier.setOwn(instances) }
    }
}
