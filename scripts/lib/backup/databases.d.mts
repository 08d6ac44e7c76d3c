export function statementsIn(chunks: AsyncIterable<string>): AsyncGenerator<string>;
