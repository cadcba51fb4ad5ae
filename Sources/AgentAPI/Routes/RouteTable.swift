internal import Agent
internal import CoreMetrics
internal import GatewayProtocol
internal import HTTPTypes
internal import Reports

/// Everything that an agent can be asked, and the right that it takes. What is not in it is refused.
enum RouteTable {
    static let routes: [APIRoute] =
        [
            APIRoute(.get, "/health/live", nil) { _, _ in .document(.ok, HealthDocument([]).line) },
            APIRoute(.get, "/health/ready", .read) { agent, _ in
                let document = HealthDocument(agent.parts)
                return .document(document.isReady ? .ok : .serviceUnavailable, document.line)
            },
            APIRoute(.get, "/metrics", .read) { agent, _ in
                .metrics(await MetricsDocument(agent, MetricsSystem.factory as? MetricsRegistry).text)
            },
            APIRoute(.get, "/api/v1/gateways", .read) { agent, _ in await agent.gatewaysAnswer },
            APIRoute(.get, "/api/v1/services", .read) { agent, _ in await agent.servicesAnswer },
            APIRoute(.get, "/api/v1/sessions", .read) { agent, _ in
                .document(.ok, SessionsDocument(await agent.present).line)
            },
            APIRoute(.get, "/api/v1/bots", .read) { agent, _ in .document(.ok, try await agent.bots().line) },
            APIRoute(.get, "/api/v1/pairings", .read) { agent, _ in .document(.ok, try await agent.pairings().line) },
            APIRoute(.get, "/api/v1/bin", .read) { agent, _ in
                .document(.ok, BinReport(try await agent.radar.bin()).line)
            },
            APIRoute(.get, "/api/v1/device", .read) { agent, _ in
                .document(.ok, DeviceDocument(try await agent.radar.device()).line)
            },
            APIRoute(.post, "/api/v1/device", .change) { agent, query in
                let request = try DeviceChange(query.body)
                let device = try await agent.radar.device(name: request.name, emoji: request.emoji)
                return .document(.ok, DeviceDocument(device).line)
            },
            APIRoute(.get, "/api/v1/status", .read) { agent, _ in .document(.ok, try await agent.status().line) },
            APIRoute(.get, "/api/v1/events", .read) { agent, query in
                .events(try EventStream(agent, query))
            },
            APIRoute(.post, "/api/v1/diagnose", .change) { agent, query in
                let known = ["gateway", "typed", "timeoutMs"]
                let members = try JSONMembers(query.body, known, such: #"{"gateway": "…"}"#)
                let gateway = try members.needed("gateway", "the id of a gateway or pairing", \.string)
                let name = try members.member("typed", "the name that was typed for it", \.string)
                let limit = try members.limit() ?? .seconds(6)
                return .document(.ok, try await agent.radar.diagnose(gateway, typed: name, within: limit).line)
            },
            APIRoute(.post, "/api/v1/scan", .change) { agent, query in try await agent.scan(query) },
        ] + changes + aliases + history + calls + link + pairing + page

    /// The routes that change a pairing, or are about devices that wait at its gateway, each with its number in the body:
    /// `{"pairing": …}`.
    private static let changes: [APIRoute] = [
        change("connect") { agent, request in try await agent.radar.connect(request.pairing, true) },
        change("disconnect") { agent, request in try await agent.radar.connect(request.pairing, false) },
        change("archive") { agent, request in
            try await agent.radar.archive(request.oneBot, of: request.pairing, request.isArchived)
        },
        change("accent") { agent, request in
            guard let color = request.color else {
                throw APIProblem(.badRequest, "color: expected #rrggbb or null, found nothing")
            }
            return try await agent.radar.accent(request.oneBot, of: request.pairing, color)
        },
        change("forget") { agent, request in try await agent.radar.forget(request.pairing) },
        change("restore") { agent, request in try await agent.radar.restore(request.pairing) },
        change("unpair") { agent, request in
            let bot = request.bot.map { BotSelection.some([$0]) }
            guard bot == nil || request.bots == nil else {
                throw APIProblem(.badRequest, "expected bot or bots, found both")
            }
            return try await agent.radar.unpair(request.pairing, bots: request.bots ?? bot ?? .all, seenIn: [])
        },
        // Who may have a token is decided by whoever may hand over secrets.
        APIRoute(.post, "/api/v1/trust", [.change, .secret]) { agent, query in
            let request = try TrustRequest(query.body)
            let document = try await agent.radar.trust(request.trusted, in: request.pairing, shown: request.shown)
            return .document(.ok, document.line)
        },
        APIRoute(.post, "/api/v1/approvals", .change) { agent, query in
            let request = try ApprovalRequest(query.body)
            return .document(.ok, try await agent.radar.approvals(at: request.pairing, within: request.limit).line)
        },
        decide("approve", .approved),
        decide("reject", .rejected),
    ]

    private static func decide(_ name: String, _ decision: DeviceDecision) -> APIRoute {
        APIRoute(.post, "/api/v1/\(name)", [.change, .secret]) { agent, query in
            let request = try ApprovalRequest(query.body, decides: true)
            guard let name = request.request else {
                throw APIProblem(.badRequest, "request: expected the identifier of a request, found none")
            }
            let made = try await agent.radar.decide(
                name,
                decision,
                to: request.account,
                at: request.pairing,
                within: request.limit
            )
            return .document(.ok, made.line)
        }
    }

    /// A request in the name of this device: whoever may make it has the rights of its token.
    private static let calls: [APIRoute] = [
        APIRoute(.post, "/api/v1/call", [.change, .secret]) { agent, query in
            .document(.ok, try await CallRequest(query.body).answer(of: agent.radar).line)
        }
    ]

    /// The pairings that are begun by the agent: each is a resource, and its questions are answered by further requests.
    private static let pairing: [APIRoute] = [
        APIRoute(.get, "/api/v1/pair", .read) { agent, _ in .document(.ok, OpenPairingsDocument(agent).line) },
        APIRoute(.post, "/api/v1/pair", [.change, .secret]) { agent, query in
            let document = try await agent.beginPairing(query.body)
            return .created(document.line, at: document.path)
        },
        APIRoute(.get, "/api/v1/pair/{id}", .read) { agent, query in
            .document(.ok, try agent.openPairing(query.name).line)
        },
        APIRoute(.post, "/api/v1/pair/{id}/answer", [.change, .secret]) { agent, query in
            .document(.ok, try agent.reply(query.body, to: query.name).line)
        },
        APIRoute(.delete, "/api/v1/pair/{id}", [.change, .secret]) { agent, query in
            .document(.ok, try agent.cancelPairing(query.name).line)
        },
    ]

    /// The page, which everybody may have: it knows nothing before it has a token. A login works once, and so is no token; and
    /// the agent proves itself before it is given one.
    private static let page: [APIRoute] = [
        APIRoute(.get, "/", nil) { _, query in try .page(file: "index.html", query) },
        APIRoute(.get, "/page/{id}", nil) { _, query in try .page(file: query.name, query) },
        APIRoute(.post, "/api/v1/page", [.change, .secret]) { agent, query in
            .document(.ok, try await agent.openPage(PageRequest(query.body)).line)
        },
        APIRoute(.post, "/api/v1/page/session", nil) { agent, query in
            .document(.created, try agent.beginPage(query.body).line)
        },
        APIRoute(.post, "/api/v1/page/proof", nil) { agent, query in
            .document(.ok, try agent.provePage(query.body).line)
        },
        APIRoute(.post, "/api/v1/qr", .change) { agent, query in
            .document(.ok, try await PictureTexts(query.body).line)
        },
    ]

    private static func change<Report: JSONReport>(
        _ name: String,
        _ body: @escaping @Sendable (Agent, PairingRequest) async throws -> Report
    ) -> APIRoute {
        APIRoute(.post, "/api/v1/\(name)", .change) { agent, query in
            .document(.ok, try await body(agent, PairingRequest(query.body)).line)
        }
    }
}
