import TestSupport
import Testing

/// A protection of the whole behaviour of ``ScanState`` against changes that are only meant to move code, to rename
/// something, or to make it faster: the questions to endpoints, their times, and the events for the map.
@Suite struct ScanTranscriptTests {
    /// The digests of the transcripts of random sequences of events, by their seeds, as they were when the behaviour
    /// was last changed on purpose.
    private static let digests: [(seed: UInt64, digest: UInt64)] = [
        (0, 0x63D3_33A5_A541_EB1B),
        (1, 0xDBB8_FF35_F141_B690),
        (2, 0x859F_2943_E6D7_7C4B),
        (3, 0x0E27_F705_2A09_2C1C),
        (4, 0x4E3B_06BD_4EF2_BBB9),
        (5, 0x1758_9FF8_2071_06B5),
        (6, 0x9BC4_82B8_3185_D3F0),
        (7, 0x9F7C_065D_239B_4E28),
        (8, 0xB483_84B3_E209_A02A),
        (9, 0x4CE7_79EE_A933_112B),
        (10, 0x250A_5862_8680_6F3C),
        (11, 0x50FF_6CEF_8EFC_1513),
        (12, 0x9C55_13C0_91A9_D3C9),
        (13, 0x4BFC_4866_91DB_B2FE),
        (14, 0x1C4D_07F3_B606_B355),
        (15, 0x1265_FAA8_3571_FCAE),
        (16, 0x2AB4_E16E_2D07_B47B),
        (17, 0x5ED4_730D_86F8_F17F),
        (18, 0x921E_E5F5_332F_B66F),
        (19, 0xD0D8_7CBA_1AE2_1228),
        (20, 0xC2A5_2177_12A3_F5D5),
        (21, 0xE7FE_DA63_1FEC_8FD4),
        (22, 0x4AE5_AFC3_10D5_4782),
        (23, 0x22C8_F777_B9F8_C67D),
    ]

    @Test func theScannerDoesWhatItDid() {
        let differences = CourseTranscript.differences(from: Self.digests, name: "scan") {
            ScanTranscript(seed: $0).transcript
        }
        #expect(differences.isEmpty)
    }
}
