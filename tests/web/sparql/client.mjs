// What the JavaScript client sparql-http-client gets from the service at the address given: printed as one JSON object.
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const [endpointUrl, modules] = process.argv.slice(2)
const load = async name => (await import(pathToFileURL(createRequire(`${modules}/`).resolve(`sparql-http-client/${name}`)))).default
const Parsing = await load('ParsingClient.js')
const Simple = await load('SimpleClient.js')

const select = 'SELECT ?s ?o { ?s <http://example.org/p> ?o } ORDER BY ?s'
const found = {}
for (const operation of ['get', 'postUrlencoded', 'postDirect']) {
  const client = new Parsing({ endpointUrl })
  const rows = await client.query.select(select, { operation })
  const graph = await client.query.construct('CONSTRUCT WHERE { ?s ?p ?o }', { operation })
  found[operation] = {
    rows: rows.map(row => [row.s.value, row.o.value, row.o.language ?? '']),
    ask: await client.query.ask("ASK { ?s ?p 'عمر'@ar }", { operation }),
    triples: graph.size
  }
}
const refused = await new Simple({ endpointUrl }).query.select('SELECT * { SERVICE <urn:x> {} }')
found.refused = [refused.status, (await refused.json()).type]
console.log(JSON.stringify(found))
