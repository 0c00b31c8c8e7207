import Thumbturn
import ThumbturnConsole
import ThumbturnSimulator

extension Context {
    func simulate(_ events: [SimulatedEvent]) throws {
        guard options.device != .linux else {
            throw Failure.usage(Words("--device linux can't be simulated", "--device linux ne peut être simulé"))
        }
        let device = try openSimulated()
        for event in events { try device.simulate(event) }
        try output.print(
            events.count == 1
                ? Words("simulated: 1 event", "simulé : 1 événement")
                : Words("simulated: \(events.count) events", "simulés : \(events.count) événements"),
            json: ["simulated": JSON(events.count)]
        )
    }
}
