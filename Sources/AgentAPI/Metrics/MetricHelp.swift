/// The sentence of each metric that says what its number is, as the guide to metrics has it.
enum MetricHelp {
    /// Returns the sentence; `nil` of a metric that this version does not know.
    static func text(_ name: String) -> String? { texts[name] }

    private static let texts = [
        "clawradar_backend_status_changes_total": "changes of a backend's status",
        "clawradar_bots": "the bots, by state",
        "clawradar_check_round_trip_seconds": "the time between a liveness check and its answer",
        "clawradar_checks_total": "liveness checks, by how they ended",
        "clawradar_cloud_rows_waiting": "rows of the backup that have not reached the cloud",
        "clawradar_gateway_connection_failures_total": "connections to gateways that failed",
        "clawradar_gateway_connections_total": "connections to gateways that were established",
        "clawradar_gateway_outages_total":
            "the outages of a gateway since it is watched, over restarts of the agent; from 0 again when it was not watched",
        "clawradar_gateway_received_bytes_total": "bytes that gateways sent, after TLS",
        "clawradar_gateway_seconds_since_answer": "0 while a gateway answers, else the seconds since its last answer",
        "clawradar_gateway_up":
            "1 while a gateway answers, or has left a question unanswered and is not gone yet, else 0",
        "clawradar_gateways": "the gateways, by liveness",
        "clawradar_map_changes_total": "changes that a constellation reported to its readers",
        "clawradar_map_events_total": "events that a constellation took in",
        "clawradar_map_rows": "rows of the map, including those that are not shown",
        "clawradar_mdns_cached_instances": "service instances in the cache of the embedded engine now",
        "clawradar_mdns_packets_dropped_total": "packets that the embedded engine did not use",
        "clawradar_mdns_packets_incomplete_total":
            "packets of which the embedded engine could not read everything, and used the rest",
        "clawradar_mdns_packets_total": "packets of the embedded engine",
        "clawradar_mdns_queries_total": "packets sent that ask for services",
        "clawradar_one_shot_packets_lost_total": "packets that the system dropped before the one-shot query read them",
        "clawradar_one_shot_packets_total": "packets of the one-shot query",
        "clawradar_pairings_total": "pairings that have ended, by how they ended",
        "clawradar_part_up": "1 while a part of the agent works, if not in full, else 0",
        "clawradar_probe_duration_seconds": "the time that a probe took",
        "clawradar_probes_total": "gateway probes that have ended",
        "clawradar_publication_conflicts_total": "names that another publisher on the network already had",
        "clawradar_publications_total": "advertisements that became visible",
        "clawradar_publications_withheld_total": "times that a gateway was not advertised, for any reason",
        "clawradar_services_evicted_total": "sightings that a browser left out because it had no room for them",
        "clawradar_services_total": "changes of services that a browser reported",
        "clawradar_session_attempts_total": "attempts to establish a session",
        "clawradar_session_outage_seconds": "the time between the loss of a session and its return",
        "clawradar_session_reconnects_total": "sessions that were established again after they had been lost",
        "clawradar_sessions": "sessions with paired gateways that are in this state now",
    ]
}
