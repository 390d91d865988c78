package worlds

// kit is the vocabulary of one topic in one language. Sentences are built from it by the templates of its language, so a
// kit says only what differs from topic to topic. Made serves as past tense and as participle.
type kit struct {
	Name    string   // of the subject; %s is its place
	Kind    string   // what the subject is
	Made    string   // "generated"
	Unit    string   // "megawatt-hours"
	Product string   // "electricity"
	Counted string   // "turbines"
	Share   string   // of what a part is covered
	May     string   // what it may do: base form
	Linked  string   // what it goes along with
	Not     string   // what it did not do: base form
	Did     string   // the same as if it had
	Firm    string   // line of business, for the names of firms
	Q1, Q2  string   // words of its head and of a critic, lower case, without a final stop
	Fill    []string // sentences without names and numbers
}

// kitsEN holds the vocabulary of the topics, by topic.
var kitsEN = map[string]kit{
	"tidal": {"%s Tidal Station", "tidal power station", "generated", "megawatt-hours", "electricity", "turbines", "the island's electricity demand",
		"reduce imports of diesel", "fewer power cuts along the coast", "raise household tariffs", "raised household tariffs", "Energy",
		"the sea keeps its own timetable and we had to learn it", "nobody asked the fishing crews before the barrage was closed",
		[]string{"Tides turn at a different hour each day, so the station runs on a table and not on a clock.", "Divers inspect the gates after every storm.", "The barrage carries a footpath that walkers use in summer."}},
	"desalination": {"%s Desalination Plant", "desalination plant", "delivered", "megalitres", "drinking water", "membranes", "the city's water supply",
		"ease summer shortages", "lower use of groundwater", "close during the drought", "closed during the drought", "Water",
		"we sell certainty and the rain never did", "the brine goes back into the bay and no one measures it there",
		[]string{"Sea water passes two filters before it reaches the membranes.", "Pressure, not heat, does the work.", "The intake lies behind a breakwater where the water is calm."}},
	"bikes": {"%s Bicycle Scheme", "bicycle-sharing scheme", "recorded", "thousand trips", "shared cycling", "docking stations", "short journeys in the centre",
		"shorten trips to work", "fewer car journeys in the centre", "replace any bus route", "replaced a bus route", "Mobility",
		"people ride when the next bicycle is closer than the next bus", "the hills were left out of the map and so were the people there",
		[]string{"Riders unlock a frame with a card or a telephone.", "Vans move bicycles uphill each morning.", "Most bicycles are repaired in a former tram depot."}},
	"vaccine": {"%s Malaria Vaccine Programme", "vaccination programme", "administered", "thousand doses", "malaria vaccine", "clinics", "the children in the district",
		"lower admissions to hospital", "fewer school days lost to fever", "delay other vaccinations", "delayed other vaccinations", "Health",
		"a dose that is not given on time is a dose we pay for twice", "the villages past the river heard of it on the radio and saw nothing",
		[]string{"Doses travel in cooled boxes on motorcycles.", "Nurses keep a paper register beside the electronic one.", "Mosquito nets are handed out on the same day."}},
	"lightrail": {"%s Light Rail", "light rail line", "carried", "thousand passengers", "urban rail traffic", "stops", "commuter traffic in the valley",
		"lift rents near its stops", "cleaner air along the main road", "run on Sundays in winter", "ran on Sundays in winter", "Transit",
		"a tram that comes every seven minutes needs no timetable", "shops lost two summers to the building site and got a leaflet",
		[]string{"The line follows the bed of an old goods railway.", "Drivers change at the depot in the middle of the route.", "Platforms are level with the floor of the cars."}},
	"oysters": {"%s Oyster Reef", "restored oyster reef", "yielded", "tonnes", "oysters", "reef sections", "the shoreline of the bay",
		"slow erosion of the marshes", "clearer water in the inner bay", "spread the parasite", "spread the parasite", "Aquaculture",
		"an oyster is a pump that asks for nothing but time", "they planted shells where our nets used to go",
		[]string{"Old shells are sunk in bags to give larvae a hold.", "Volunteers count spat at low water.", "Boats keep to a marked channel."}},
	"geothermal": {"%s Geothermal Network", "geothermal heating network", "supplied", "gigawatt-hours", "heat", "wells", "the heating demand of the town",
		"cut winter smog", "lower heating bills in the old quarter", "trigger any measurable tremor", "triggered a measurable tremor", "Heat",
		"the ground under us is the cheapest boiler in the country", "the drilling plan was public for nine days in August",
		[]string{"Hot water rises from a layer of limestone.", "Pipes run below the pavements in a loop.", "A gas boiler stands by for the coldest nights."}},
	"coffee": {"%s Coffee Cooperative", "coffee cooperative", "exported", "tonnes", "green coffee", "member farms", "the coffee harvest of the province",
		"raise incomes of small farms", "more children in school during the harvest", "pay the premium on time", "paid the premium on time", "Coffee",
		"a price we can read before the harvest is worth more than a high one after", "the board speaks for the valley and forgets the slopes",
		[]string{"Cherries are washed on the day they are picked.", "Beans dry on raised beds for about two weeks.", "Samples are roasted and tasted in a room without windows."}},
	"seedbank": {"%s Seed Bank", "seed bank", "stored", "thousand samples", "crop seed", "vaults", "the crop varieties of the region",
		"speed the return of lost varieties", "wider use of local wheat", "lose a sample in the flood", "lost a sample in the flood", "Seeds",
		"a seed is a letter to someone who is not born yet", "farmers hand over their grain and get a catalogue back",
		[]string{"Seeds are dried before they are frozen.", "Every sample is split between two rooms.", "Germination is tested on damp paper."}},
	"meals": {"%s School Meals Programme", "school meals programme", "served", "thousand meals", "school lunches", "kitchens", "the pupils of the district",
		"improve attendance in spring", "higher marks in arithmetic", "reach the mountain schools", "reached the mountain schools", "Catering",
		"a hungry child reads the clock and not the board", "the menu is written in the capital and eaten in the cold",
		[]string{"Cooks begin at five in the morning.", "Vegetables come from farms within a day's drive.", "Left-over bread goes to a pig farm."}},
	"lithium": {"%s Lithium Recycling Works", "lithium recycling works", "recovered", "tonnes", "lithium carbonate", "furnaces", "the used batteries of the country",
		"reduce demand for mined lithium", "fewer fires at scrap yards", "meet its air permit", "met its air permit", "Recycling",
		"a dead battery is an ore with the mountain already removed", "the smell reaches the school before the inspectors do",
		[]string{"Cells are discharged in salt water before they are shredded.", "Black powder is what everyone is after.", "Plastic and copper leave by separate belts."}},
	"library": {"%s Public Library Network", "public library network", "lent", "thousand items", "books and media", "branches", "the reading public of the county",
		"narrow the gap in reading at school", "more evening courses for adults", "close a branch", "closed a branch", "Libraries",
		"we lend quiet and nobody has ever returned it late", "the bus with the books stopped where the vote was thin",
		[]string{"A van brings reserved books to the villages.", "The largest branch stays open on Sundays.", "Children hold cards without fines."}},
	"wetland": {"%s Wetland Reserve", "restored wetland", "retained", "thousand cubic metres", "flood water", "sluices", "the flood peak of the lower river",
		"lower flood damage downstream", "the return of breeding cranes", "dry out in the hot summer", "dried out in the hot summer", "Rivers",
		"water that is given room stops asking for it", "our best meadow is a lake now and the letter calls it a gain",
		[]string{"Cattle graze the dry ridges in autumn.", "Sluices are worked by hand.", "A boardwalk leads to a hide of reed."}},
	"telescope": {"%s Radio Telescope", "radio telescope", "completed", "observing hours", "sky surveys", "dishes", "the observing time of the consortium",
		"find faint pulsars sooner", "more physics students at the coast", "lose a night to interference", "lost a night to interference", "Instruments",
		"silence is the one instrument we cannot build", "the herders lost their road and got a brochure about galaxies",
		[]string{"Mobile telephones are left in a box at the gate.", "Dishes are steered from a hut below the hill.", "Data leave the valley by cable at night."}},
	"incinerator": {"%s Waste-to-Energy Plant", "waste-to-energy plant", "burned", "thousand tonnes", "household waste", "furnace lines", "the household waste of the region",
		"shrink the old landfill", "fewer lorries on the ring road", "exceed its dioxin limit", "exceeded its dioxin limit", "Environment",
		"what is not sorted at home is sorted by fire", "they burn what we used to mend and call it progress",
		[]string{"Lorries tip into a bunker below the cranes.", "Steam heats greenhouses next door.", "Ash is sieved for metal."}},
	"ferry": {"%s Electric Ferry", "electric ferry service", "transported", "thousand vehicles", "island traffic", "vessels", "the freight of the islands",
		"shorten queues in July", "quieter nights in the harbour", "sail in the January gales", "sailed in the January gales", "Ferries",
		"a crossing that makes no noise is a crossing nobody complains about", "the last boat leaves before the last shift ends",
		[]string{"Batteries are charged while cars roll off.", "A mast holds the plug at every tide.", "Crews live on the larger island."}},
	"glacier": {"%s Glacier Survey", "glacier monitoring survey", "measured", "cubic kilometres", "ice loss", "stakes", "the ice of the range",
		"warn villages of lake outbursts", "earlier snow melt in the upper valley", "record a year of growth", "recorded a year of growth", "Survey",
		"a glacier answers every question but slowly", "we carried the stakes up and never saw the maps",
		[]string{"Stakes are drilled into the ice each spring.", "A drone follows the same line every year.", "Cores are kept in a freezer by the road."}},
	"cement": {"%s Capture Plant", "carbon capture plant", "captured", "tonnes", "carbon dioxide", "absorber columns", "the emissions of the cement works",
		"lower the price of permits", "steady work at the quarry", "reach its design rate", "reached its design rate", "Cement",
		"cement is a habit and habits need a plumber", "the pipe crosses nine farms and pays for one",
		[]string{"Flue gas is cooled before it meets the solvent.", "The solvent is boiled clean and used again.", "Ships fetch the liquid from a jetty."}},
	"museum": {"%s Museum Archive", "museum digitisation project", "scanned", "thousand pages", "manuscripts", "scanners", "the manuscripts of the collection",
		"bring more visitors to the reading room", "new editions of forgotten letters", "damage a binding", "damaged a binding", "Archives",
		"a page that is read by three people is better kept than one that is locked", "the catalogue is perfect and the roof still leaks",
		[]string{"Pages are photographed on a cradle of foam.", "Two readers check every tenth image.", "Maps are scanned in strips."}},
	"farm": {"%s Vertical Farm", "vertical farm", "harvested", "tonnes", "leaf vegetables", "growing racks", "the salad sold in the city",
		"cut imports of lettuce in winter", "lower use of pesticides in the district", "make a profit", "made a profit", "Greens",
		"our weather is a switch and we pay for every hour of it", "the lamps burn all night so that the salad can be called local",
		[]string{"Roots hang in mist and not in soil.", "Lamps follow the price of power.", "Trays move to the packers on rails."}},
}
