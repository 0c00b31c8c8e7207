// expect: 'ObservationRegistrar' is only available in (iOS 17\.0|macOS 14\.0) or newer
import Observation

struct Model {
    let registrar: ObservationRegistrar
}
