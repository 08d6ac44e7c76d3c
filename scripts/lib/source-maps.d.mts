/** Turns places in the built Worker into places in the sources, wherever a text names them. */
export declare function createStackMapper(mapFile: string): (text: string) => string;
